"""The commands in the order in which one needs them, with what each is for.

A command is the function of its name in `structron.cli.commands.<name>`, or where `PLACES` says, which is
imported when it is asked for.
"""

HELP = {
    "train": "Learn a model from labelled data.",
    "predict": "Predict for files or a pipe; the same format comes out.",
    "evaluate": "Score a model on labelled data, or a predicted file against gold.",
    "show": "Show the beam for one input, step by step, or the chart.",
    "explain": "Explain a prediction by the names and weights of features.",
    "info": "Print what a model contains and how it was made.",
    "calibrate": "Learn from held-out data how far to trust a model's margins.",
    "select": "List what to annotate next: where a model is least sure.",
    "tune": "Find the best settings for given data.",
    "curve": "Draw the learning curve: would more data help?",
    "audit": "Check a training run against the theorems: radius, margin, bounds, every update.",
    "align": "Align pairs, such as words and their sounds, or parallel text, by EM.",
    "cluster": "Cluster the words of a text, for templates such as cluster(4)[0].",
    "serve": "Serve models over HTTP, and a playground in the browser.",
    "demo": "See structron at work, in about a minute; needs no data.",
}

PLACES = {
    "curve": "structron.cli.commands.trials.curve",
    "demo": "structron.demo.command",  # it shows some tasks, and no file of `cli` names one
    "tune": "structron.cli.commands.trials.tune",
}
