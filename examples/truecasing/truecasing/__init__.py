"""Truecasing: capitals for text that has lost them, as a task of structron."""

from structron.task import TaskSpec

SPEC = TaskSpec(
    kind="truecasing",
    help="Give words back the capitals that they have lost.",
    task="truecasing.task:TruecasingTask",
    estimator="truecasing.estimator:Truecaser",
    settings="truecasing.estimator:TruecasingRecipe",
    cli="truecasing.estimator:CLI",
    json_form="truecasing.estimator:FORM",
    account="structron.own:account",
    play="truecasing.estimator:PLAY",
)
