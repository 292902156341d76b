set -e
cd $TREE; git reset -q --hard; git clean -fdq -e .venv; git checkout -q --detach main; git branch -D house -q 2>/dev/null || true; git clean -fdq -e .venv
python3 $HOUSE/mover.py $TREE; find structron -type d -empty -delete; git checkout -q -b house; git add -A; git commit -qm "Move every module into the room where it belongs: a task is a folder"
