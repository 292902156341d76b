"""old module -> new module (without the leading structron.)"""
R = {}
def mv(old, new): R["structron." + old] = "structron." + new
def many(names, old, new):
    for n in names.split(): mv(f"{old}.{n}", f"{new}.{n}")
# top
mv("first_use", "lazy"); mv("telling", "progress"); mv("violations.prefix", "updates"); mv("training.setting", "settings")
mv("tasks.task", "task")
# io
many("conllu columns slash raw pairs aligned questions documents bitext arpa pharaoh names clusters parallel", "data", "io.formats")
many("answers terms notation ngrams trees labels tree_svg", "data", "io.values")
many("files encoding line_by_line reading writing format sentence sniff training_files", "data", "io.files")
mv("data.expanding", "io.files.patterns"); mv("data.whole", "io.files.atomic_write")
many("archive about shipped", "data", "io.model_file")
many("hmm lexicon spelling treebank", "data.synthetic", "synthetic"); mv("data.synthetic", "synthetic"); mv("data", "io")
mv("tasks.texts", "io.model_file.texts")
# shared labelling room
mv("features.tagging.templates", "labelling.templates"); mv("tasks.tagging.space", "labelling.space")
mv("tasks.tagging.dictionary", "labelling.dictionary"); mv("tasks.tagging.hidden", "labelling.hidden"); mv("tasks.tagging.task", "labelling.task")
# reference rooms
many("search trace spaces dp_beam class_bins one_bin bins finding training mixing", "reference", "reference.sequence")
many("forest forest_kbest hypergraph spanning climbing", "reference", "reference.forest")
many("learners mira swvp hildreth mixed substructures voted weights violations", "reference", "reference.learners")
many("checks forest_checks hooks", "reference", "reference.checks")
many("alignment clustering", "reference", "reference.text")
# fit
many("schedule serial mixing shards ordering thread_pool", "training", "fit.schedules")
many("cluster distributed hosts payload worker_pool", "training", "fit.cluster")
many("checkpoints state", "training", "fit.checkpoints"); mv("training.store", "fit.streaming.store")
many("clustering vector_clusters", "training", "fit.clustering")
many("epoch learning recipe tuning preference", "training", "fit"); mv("training.logged", "fit.logging_hook"); mv("training", "fit")
mv("estimators.streaming", "fit.streaming.examples")
many("estimator predictor parameters examples fitted online confidence pickling signature stages", "estimators", "fit")
mv("estimators.locking", "fit.locks"); mv("estimators.listing", "fit.inputs"); mv("estimators.clusters", "fit.word_lists")
mv("estimators.known", "fit.known_words"); mv("estimators.unknown", "fit.unknown_labels")
many("halving trials", "estimators", "fit.trials"); mv("estimators", "estimators")
many("tracing chart_tracing", "tasks", "engine") ; mv("tasks.word_lists", "engine.word_lists"); mv("tasks.experts", "engine.experts")
# tasks
KINDS = {"tagging": "tagger", "parsing": "parser", "transduction": "transducer", "translation": "translator", "segmentation": "segmenter",
 "semantics": "semantic_parser", "classification": "classifier", "lemmatisation": "lemmatizer", "pipeline": "pipeline"}
def kind(k, text):
    for line in text.strip().splitlines():
        old, new = line.split()
        mv(old, f"tasks.{k}.{new}")
kind("tagging", """
estimators.tagging.tagger estimator
estimators.tagging.inputs inputs
estimators.tagging.problem problem
estimators.tagging.surveying survey
features.tagging.presets presets
features.tagging.choice template_choice
training.tagging settings
cli.tagging.face cli
cli.tagging.measuring measures
cli.tagging.reading reading
cli.tagging.showing showing
explaining.tagging explaining
serve.play.kinds.tagging playing
""")
kind("lemmatisation", """
estimators.lemmatisation.lemmatizer estimator
features.tagging.lemma_presets presets
explaining.lemmatisation explaining
tasks.lemmatisation.task task
tasks.lemmatisation.scripts scripts
""")
kind("parsing", """
estimators.parsing.parser estimator
estimators.parsing.combining fitting.experts
estimators.parsing.foreign fitting.column_mismatch
estimators.parsing.jackknife fitting.jackknife
estimators.parsing.looking fitting.treebank_stats
estimators.parsing.problem fitting.problem
estimators.parsing.pruning fitting.pruner
estimators.parsing.treebank inputs
estimators.parsing.view view
features.parsing.choice features.choice
features.parsing.graph features.graph
features.parsing.graph_presets features.graph_presets
features.parsing.presets features.presets
features.parsing.sets features.sets
features.parsing.telling features.column_information
features.parsing.templates features.templates
features.parsing features
training.parsing settings
cli.parsing.face cli
cli.parsing.charts charts
cli.parsing.measuring measures
cli.parsing.reading reading
cli.parsing.showing showing
explaining.parsing explaining
explaining.parsing.graph explaining.graph
explaining.parsing.transitions explaining.transitions
serve.play.kinds.parsing playing
tasks.parsing.building transitions.gold_trees
tasks.parsing.kernel transitions.kernel
tasks.parsing.oracles transitions.oracles
tasks.parsing.space transitions.space
tasks.parsing.state transitions.state
tasks.parsing.systems transitions.systems
tasks.parsing.scoring transitions.scoring
tasks.parsing.task transitions.task
tasks.parsing.combined combined
tasks.parsing.experts experts
tasks.parsing.frozen frozen
tasks.parsing.projective projective
tasks.parsing.tree_task tree_task
""")
kind("transduction", """
estimators.transduction.transducer estimator
estimators.transduction.combining expert_training
estimators.transduction.direction direction
estimators.transduction.pairs inputs
estimators.transduction.problem problem
estimators.transduction.unseen unseen
features.transduction features
features.vowels vowels
training.transduction settings
cli.transduction.face cli
cli.transduction.showing showing
explaining.transduction explaining
serve.play.kinds.transduction playing
""")
kind("translation", """
estimators.translation.translator estimator
estimators.translation.bitext fitting.bitext
estimators.translation.findings fitting.findings
estimators.translation.lines inputs
estimators.translation.linked word_links
estimators.translation.order fitting.order_check
estimators.translation.plans fitting.plans
estimators.translation.retuned fitting.retuning
estimators.translation.tuned fitting.tuning
estimators.translation.unseen unseen
features.translation features
training.translation settings
cli.translation.face cli
cli.translation.measuring measures
cli.translation.reading reading
cli.translation.rules rule_drawing
cli.translation.showing showing
explaining.translation explaining
explaining.translation.phrases explaining.phrases
explaining.translation.rules explaining.rules
tasks.translation.alignment alignment.engine
tasks.translation.symmetrisation alignment.symmetrisation
tasks.translation.word_alignment alignment.definition
tasks.translation.extraction phrases.extraction
tasks.translation.left_out phrases.left_out
tasks.translation.options phrases.options
tasks.translation.phrases phrases.table
tasks.translation.language_model language_model.definition
tasks.translation.estimation language_model.estimation
tasks.translation.word_model language_model.word_model
tasks.translation.storage storage
tasks.translation.forced_decoding decoding.forced_decoding
tasks.translation.space decoding.space
tasks.translation.sentence_bleu decoding.sentence_bleu
tasks.translation.targets decoding.targets
tasks.translation.task decoding.task
tasks.translation.compounds words.compounds
tasks.translation.source_words words.source_words
tasks.translation.vocabulary words.vocabulary
tasks.translation.word_forms words.word_forms
""")
kind("segmentation", """
estimators.segmentation.segmenter estimator
estimators.segmentation.problem fitting.problem
estimators.segmentation.segmented output
estimators.segmentation.sentences sentences
estimators.segmentation.stretches fitting.stretches
estimators.segmentation.treebank fitting.treebank
estimators.segmentation.word_problem fitting.word_problem
features.segmentation features
features.segmentation.units features.units
features.segmentation.words features.words
training.segmentation settings
cli.segmentation.face cli
cli.segmentation.measuring measures
cli.segmentation.showing showing
explaining.segmentation explaining
serve.play.kinds.segmentation playing
tasks.segmentation.boundaries units.boundaries
tasks.segmentation.units units.units
tasks.segmentation.known_tokens units.known_tokens
tasks.segmentation.multiword units.multiword
tasks.segmentation.packed_texts packed_texts
tasks.segmentation.characters words.characters
tasks.segmentation.clauses words.clauses
tasks.segmentation.word_space words.space
tasks.segmentation.word_task words.task
""")
kind("semantics", """
estimators.semantics.semantic_parser estimator
estimators.semantics.answers fitting.answers
estimators.semantics.executed executed
estimators.semantics.given inputs
estimators.semantics.named executor_names
estimators.semantics.planning fitting.plan
estimators.semantics.problem fitting.problem
features.semantics features
training.semantics settings
cli.semantics.face cli
cli.semantics.showing showing
explaining.semantics explaining
tasks.semantics.association association
tasks.semantics.deadline execution.deadline
tasks.semantics.execution execution.execution
tasks.semantics.gazetteer language.gazetteer
tasks.semantics.grammar language.grammar
tasks.semantics.notation language.notation
tasks.semantics.productions language.productions
tasks.semantics.reading language.reading
tasks.semantics.gold gold
""")
kind("classification", """
estimators.classification.classifier estimator
estimators.classification.coefficients coefficients
estimators.classification.given_back outputs
estimators.classification.inputs inputs
estimators.classification.label_kinds label_kinds
estimators.classification.labels labels
estimators.classification.problem problem
estimators.classification.scoring scoring
estimators.classification.voting voting
features.classification features
training.classification settings
cli.classification.face cli
cli.classification.showing showing
explaining.classification explaining
serve.play.kinds.classification playing
""")
kind("pipeline", """
estimators.pipeline.pipeline estimator
estimators.pipeline.analysed analysed
estimators.pipeline.applying stages
estimators.pipeline.columns columns
estimators.pipeline.document document
estimators.pipeline.explaining explaining
estimators.pipeline.kept checkpoint
estimators.pipeline.learning fitting
estimators.pipeline.settings settings
cli.pipeline.face cli
cli.pipeline.reading reading
cli.pipeline.training training_command
""")
# cli
many("align audit calibrate cluster curve demo evaluate explain info predict select serve show train tune", "cli", "cli.commands")
mv("cli.bitext", "cli.commands.align_bitext"); mv("cli.trying", "cli.commands.trial_options"); mv("cli.commands", "cli.command_list")
mv("cli.face", "cli.task_cli")
many("standard streams counting lines places portion progress reading request settings", "cli", "cli.terminal")
mv("cli.warned", "cli.terminal.warnings"); mv("cli.labelled", "cli.terminal.examples"); mv("cli.lined_up", "cli.terminal.line_up"); mv("cli.sentences", "cli.terminal.sentences"); mv("cli.sure", "cli.terminal.confidence")
many("beams plots heat_map trees error_page reports", "cli", "cli.draw"); mv("cli.confused", "cli.draw.confusions")
mv("cli.demonstration", "cli.demo.acts"); mv("cli.line", "cli.demo.one_bound"); mv("cli.opening", "cli.demo.opening")
mv("cli.tagging.chains", "cli.demo.chains"); mv("cli.tagging.compared", "cli.demo.comparison"); mv("cli.transduction.demonstration", "cli.demo.pronunciation")
# serve
mv("serve.gathering", "serve.batching"); mv("serve.shelf", "serve.registry"); mv("serve.patience", "serve.timeouts"); mv("serve.asking", "serve.requests"); mv("serve.described", "serve.openapi"); mv("serve.running", "serve.process"); mv("serve.forms", "serve.json_forms"); mv("serve.refusal", "serve.refusals")
mv("serve.play.kinds", "serve.play.task_play"); mv("serve.play.film", "serve.play.films"); mv("serve.play.lesson","serve.play.lessons")
mv("features.made", "features.lazy_presets")
# packages whose __init__ goes away; names they offered are offered elsewhere
ALIAS = {}
for k in KINDS:
    for room in ("estimators", "cli", "features", "explaining", "serve.play.kinds"):
        if f"structron.{room}.{k}" not in R: ALIAS[f"structron.{room}.{k}"] = f"structron.tasks.{k}"
ALIAS["structron.violations"] = "structron.updates"
ALIAS["structron.estimators"] = "structron.registry"
NAMES = {
 ("structron.estimators", "Stream"): "structron.fit", ("structron.estimators", "Estimator"): "structron.fit.estimator",
 ("structron.estimators", "AnyEstimator"): "structron.fit.estimator", ("structron.estimators", "load"): "structron.loading",
 ("structron.tasks", "KINDS"): "structron.registry", ("structron.tasks", "MORE_KINDS"): "structron.registry", ("structron.tasks", "task_of"): "structron.registry",
 ("structron.training", "recipe_of"): "structron.registry",
 ("structron.cli.face", "face_of"): "structron.registry",
}
for n in "Rows NO_ROWS Arrays view_of keys_of numbers_of stored_rows array_of narrowed typed texts is_text".split(): NAMES["structron.tasks.task", n] = "structron.engine.rows"
for n in "Choices engine_search empty_weights".split(): NAMES["structron.tasks.task", n] = "structron.engine.choices"
# ---- shared rooms below the tasks
mv("tasks.transduction.alignment", "alignment.pairs"); mv("tasks.translation.alignment", "alignment.bitext")
mv("tasks.translation.symmetrisation", "alignment.symmetrisation"); mv("tasks.translation.word_alignment", "alignment.word_alignment")
mv("estimators.segmentation.segmented", "io.values.segmented"); mv("estimators.segmentation.treebank", "io.values.passages"); mv("tasks.segmentation.boundaries", "io.values.boundaries")
mv("explaining.tagging", "labelling.explaining"); mv("features.tagging.presets", "labelling.presets")
R.pop("structron.explaining.lemmatisation")
for n in ("named_key", "READY"): NAMES["structron.features.classification", n] = "structron.features.keys"
for n in "demonstration:acts line:one_bound opening:opening tagging.chains:chains tagging.compared:comparison transduction.demonstration:pronunciation demo:command".split():
    a, b = n.split(":"); mv("cli." + a, "demo." + b)
mv("tasks.translation.vocabulary", "alignment.vocabulary"); mv("tasks.segmentation.units", "io.values.units")
for a, b in {"tasks.segmentation.units": "units", "tasks.segmentation.boundaries": "boundaries", "estimators.segmentation.treebank": "passages", "estimators.segmentation.segmented": "segmented"}.items(): mv(a, "segments." + b)
mv("tasks.texts", "engine.texts")
for k, n in {"tagging":"TaggingRecipe","parsing":"ParsingRecipe","transduction":"TransductionRecipe","translation":"TranslationRecipe","segmentation":"SegmentationRecipe","semantics":"SemanticRecipe","classification":"ClassificationRecipe"}.items():
    NAMES["structron.training", n] = f"structron.tasks.{k}.settings"
mv("data.compression", "io.files.compression"); mv("data.drafts", "io.files.drafts"); mv("data.tables", "io.formats.tables"); mv("cli.nearest", "cli.terminal.nearest")
mv("tasks.processors", "engine.processors"); mv("tasks.semantics.conjunctions", "tasks.semantics.language.conjunctions"); mv("training.combinations", "fit.combinations")
NAMES["structron.tasks.task", "check_floats"] = "structron.engine.rows"
