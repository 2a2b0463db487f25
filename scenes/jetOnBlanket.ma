//Maya ASCII 2022 scene
//Name: jetOnBlanket.ma
//Codeset: UTF-8
// jetOnKnit at the size used in the paper. It references jetOnKnit.ma and overrides only what is larger.
file -rdi 1 -ns ":" -rfn "jetOnKnitRN" -typ "mayaAscii" "jetOnKnit.ma";
file -r -ns ":" -dr 1 -rfn "jetOnKnitRN" -typ "mayaAscii" "jetOnKnit.ma";
requires maya "2022";
requires -nodeType "purlKnit" -nodeType "purlFluid" -nodeType "purlEmitter" -nodeType "purlSolver" "purl" "0.1.0";
currentUnit -l centimeter -a degree -t film;
fileInfo "application" "maya";
fileInfo "license" "Apache-2.0";
createNode script -n "sceneConfigurationScriptNode1";
	setAttr ".b" -type "string" "playbackOptions -min 1 -max 72 -ast 1 -aet 72 ";
	setAttr ".st" 6;
createNode reference -n "jetOnKnitRN";
	setAttr ".ed" -type "dataReferenceEdits" 
		"jetOnKnitRN"
		"jetOnKnitRN" 16
		2 "panelMaker" "width" " 96"
		2 "panelMaker" "height" " 76.8"
		2 "|panel" "translate" " -type \"double3\" 0 60 0"
		2 "|jetPlace" "translate" " -type \"double3\" 0 72 33"
		2 "|shot" "translate" " -type \"double3\" 144 91 160"
		2 "panelKnit" "bendStiffness" " 1e-05"
		2 "panelKnit" "maxTimeStep" " 0.001"
		2 "panelKnit" "iterations" " 3"
		2 "water" "particleSpacing" " 0.65"
		2 "jet" "radius" " 3.7"
		2 "jet" "rate" " 6.3"
		2 "jet" "endTime" " 2.8"
		2 "solver" "cfl" " 0.4"
		2 "solver" "minTimeStep" " 0.002"
		2 "solver" "maxDensityError" " 0.1"
		2 "shotShape" "centerOfInterest" " 216";
lockNode -l 1 ;
// End of jetOnBlanket.ma
