# What holds for all Python tests. Long ones are marked @pytest.mark.nightly; scripts/test leaves them out without --nightly.
def pytest_configure(config):
    config.addinivalue_line("markers", "nightly: takes minutes; run by scripts/test --nightly")
