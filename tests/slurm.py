"""A cluster of Slurm on this machine, for tests: a controller, and three nodes with two processors each."""
import os
import shutil
import socket
import subprocess
import time

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "scontrol", "squeue")
MISSING = [name for name in PROGRAMS if not shutil.which(name, path=os.environ["PATH"] + ":/usr/sbin:/sbin")]
# The daemons run as the user who starts them; several nodes on one host need root.
REASON = f"not installed: {', '.join(MISSING)} (packages slurm-wlm and munge)" if MISSING else \
    "Slurm's daemons have to be started as root" if os.geteuid() != 0 else ""
ENVIRONMENT = {**os.environ, "PATH": os.environ["PATH"] + ":/usr/sbin:/sbin"}

# cred_expire is also how long a requeued job waits (120 s otherwise). preempt_send_user_signal: --signal applies to
# preemptions too.
CONFIGURATION = """ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge/sock,cred_expire=5
CredType=cred/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool.%n
SlurmctldPidFile={folder}/ctld.pid
SlurmdPidFile={folder}/slurmd.%n.pid
SlurmctldLogFile={folder}/log/ctld
SlurmdLogFile={folder}/log/%n
SlurmctldPort={port}
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=bf_interval=2,sched_interval=1
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
SlurmctldParameters=preempt_send_user_signal
SlurmdTimeout=20
ReturnToService=2
MpiDefault=none
KillWait=5
NodeName=n[1-3] NodeHostname={host} NodeAddr=127.0.0.1 Port=[{first}-{last}] CPUs=2 RealMemory=4000 State=UNKNOWN
PartitionName=low Nodes=ALL Default=YES PriorityTier=1 GraceTime=20 MaxTime=INFINITE State=UP
PartitionName=high Nodes=ALL PriorityTier=10 State=UP
"""


def freePorts(count):
    """The first of `count` neighbouring free ports."""
    for first in range(17001, 30000, count):
        sockets = []
        try:
            for port in range(first, first + count):
                sockets.append(socket.socket())
                sockets[-1].bind(("127.0.0.1", port))
            return first
        except OSError:
            pass
        finally:
            for each in sockets:
                each.close()
    raise AssertionError("no free ports")


class Cluster:
    def __init__(self, folder):
        self.folder, self.daemons = folder, []
        for name in ("munge", "state", "log", "spool.n1", "spool.n2", "spool.n3"):
            (folder / name).mkdir(parents=True)
        (folder / "munge").chmod(0o700)
        port = freePorts(4)
        text = CONFIGURATION.format(host=socket.gethostname().split(".")[0], folder=folder, port=port, first=port + 1,
                                    last=port + 3)
        (folder / "slurm.conf").write_text(text)
        self.environment = {**ENVIRONMENT, "SLURM_CONF": str(folder / "slurm.conf")}
        (folder / "munge" / "key").write_bytes(os.urandom(1024))
        (folder / "munge" / "key").chmod(0o600)

    def start(self):
        munge = self.folder / "munge"
        self.daemon("munged", "--force", "--foreground", f"--socket={munge / 'sock'}", f"--key-file={munge / 'key'}",
                    f"--pid-file={munge / 'pid'}", f"--log-file={munge / 'log'}", f"--seed-file={munge / 'seed'}")
        self.until(lambda: (munge / "sock").exists(), 20)
        self.daemon("slurmctld", "-D", "-f", self.folder / "slurm.conf")
        self.nodes = {name: self.startNode(name) for name in ("n1", "n2", "n3")}
        self.until(lambda: self.tell("sinfo", "-h", "-N", "-p", "low", "-o", "%T", check=False).split() == ["idle"] * 3, 60)

    def startNode(self, name):
        return self.daemon("slurmd", "-D", "-N", name, "-f", self.folder / "slurm.conf")

    def daemon(self, *command):
        log = open(self.folder / "log" / f"{command[0]}.out", "ab")
        self.daemons.append(subprocess.Popen(list(map(str, command)), env=self.environment, stdin=subprocess.DEVNULL,
                                             stdout=log, stderr=log, start_new_session=True))
        return self.daemons[-1]

    def stop(self):
        if self.daemons:
            self.tell("scancel", "-u", "root", check=False)
        for daemon in reversed(self.daemons):
            daemon.terminate()
        for daemon in self.daemons:
            try:
                daemon.wait(10)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()

    def tell(self, *command, check=True, **options):
        done = subprocess.run(list(map(str, command)), env=self.environment, capture_output=True, text=True, timeout=60,
                              **options)
        assert not check or done.returncode == 0, (command, done.stderr)
        return done.stdout

    def until(self, condition, seconds):
        """Waits for what must come; shows the queue otherwise."""
        end = time.monotonic() + seconds
        while not condition():
            assert time.monotonic() < end, self.tell("squeue", check=False) + self.tell("sinfo", "-N", check=False)
            time.sleep(0.2)

    def queue(self):
        """States of the jobs in the queue, by id: {"12_0": "RUNNING"}."""
        lines = self.tell("squeue", "-h", "-r", "-o", "%i %T").splitlines()
        return dict(line.split() for line in lines)
