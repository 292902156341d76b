"""Old names since 0.3: modules that were renamed or moved, and names that moved out of a module.

A line has the old place, the new one, and the words that moved; ``old=new`` if the word changed, too. ``-``
is structron itself. An indented line continues the one above.
"""

_MODULES = """
adapters > engine: rows
adapters > tasks.pipeline.adapters: nltk_pipeline=nltk spacy_pipeline=spacy
alignment > alignment: finished=aligners
- > -: data=io estimators=registry first_use=lazy telling=progress training=fit violations=updates
cli > cli: face=task_cli lines=task_cli
cli > cli.commands: align audit bitext=align_bitext calibrate cluster evaluate explain info predict select
    serve show train portion=predict
cli > cli.commands.trials: curve trying=options tune
cli > cli.draw: beams confused=confusions error_page heat_map plots reports trees
cli > cli.files: labelled=examples lined_up=line_up places reading sentences streams
cli > cli.terminal: counting nearest progress request settings standard sure=confidence warned=warnings
cli > demo: demo=command demonstration=acts line=one_bound opening
cli > tasks: classification lemmatisation parsing pipeline segmentation semantics tagging transduction
    translation
cli.classification > tasks.classification: face=cli showing
cli.parsing > tasks.parsing: charts face=cli measuring=measures reading showing
cli.files > cli.files: given=text_arguments kept=given_parts
cli.pipeline > tasks.pipeline: face=cli reading training=training_command
cli.segmentation > tasks.segmentation: face=cli measuring=measures showing
cli.semantics > tasks.semantics: face=cli showing
cli.tagging > demo: chains compared=comparison
cli.tagging > tasks.tagging: face=cli measuring=measures reading showing
cli.transduction > demo: demonstration=pronunciation
cli.transduction > tasks.transduction: face=cli showing
cli.translation > tasks.translation: face=cli measuring=measures reading rules=rule_drawing showing
data > -: synthetic
data > io.files: compression drafts=step_cache encoding expanding=patterns files=streams format
    line_by_line=line_parsing reading sentence sniff=detection training_files whole=atomic_write writing
data > io.formats: aligned=aligned_pairs arpa bitext=parallel_text clusters columns conllu documents names
    pairs parallel=parallel_text pharaoh questions raw=raw_text slash tables
data > io.model_file: about archive shipped=shipped_models
data > io.values: answers labels ngrams notation terms tree_svg trees
data.synthetic > synthetic: hmm lexicon spelling treebank
estimators > fit: confidence estimator fitted=problem locking=parameters online parameters pickling
    predictor
estimators > fit.data: clusters=word_lists examples known=known_words listing=inputs signature
    unknown=unknown_labels
estimators > fit.schedules: stages=hooks
estimators > fit.streaming: streaming=examples
estimators > fit.trials: halving trials
estimators > tasks: classification lemmatisation parsing pipeline segmentation semantics tagging
    transduction translation
estimators.classification > tasks.classification: classifier=estimator coefficients inputs problem
estimators.classification > tasks.classification.labels: given_back=outputs label_kinds=kinds labels=reading
    scoring=scores
estimators.classification > tasks.classification.voting: voting=model
estimators.lemmatisation > tasks.lemmatisation: lemmatizer=estimator
estimators.parsing > tasks.parsing: parser=estimator treebank=inputs view
estimators.parsing > tasks.parsing.fitting: combining=experts foreign=column_mismatch jackknife
    looking=treebank_stats problem=task_from_data pruning=pruner
estimators.pipeline > tasks.pipeline: analysed=analysis applying=stages columns document explaining
    pipeline=estimator settings
estimators.pipeline > tasks.pipeline.fitting: kept=checkpoint learning=learner
estimators.segmentation > segments: segmented=segmented_text treebank=passages
estimators.segmentation > tasks.segmentation: segmenter=estimator sentences
estimators.segmentation > tasks.segmentation.fitting: problem=task_from_data stretches word_problem
estimators.semantics > tasks.semantics: given=inputs semantic_parser=estimator
estimators.semantics > tasks.semantics.execution: executed=answers named=executors
estimators.semantics > tasks.semantics.fitting: answers planning=plan problem=task_from_data
estimators.tagging > tasks.tagging: inputs problem=task_from_data surveying=survey tagger=estimator
estimators.transduction > tasks.transduction: pairs=inputs problem=task_from_data transducer=estimator
estimators.transduction > tasks.transduction.direction: direction=choice
estimators.transduction > tasks.transduction.experts: combining=training
estimators.transduction > tasks.transduction.words: unseen=unseen_symbols
estimators.translation > tasks.translation: lines=inputs translator=estimator
estimators.translation > tasks.translation.fitting: bitext findings order=order_check plans retuned=retuning
    tuned=tuning
estimators.translation > tasks.translation.words: linked=links unseen=unseen_words
explaining > labelling: lemmatisation=explaining tagging=explaining
explaining > tasks: pipeline
explaining > tasks.classification: classification=explaining
explaining > tasks.parsing: parsing=explaining
explaining > tasks.segmentation: segmentation=explaining
explaining > tasks.semantics: semantics=explaining
explaining > tasks.transduction: transduction=explaining
explaining > tasks.translation: translation=explaining
explaining.parsing > tasks.parsing.explaining: graph transitions
explaining.translation > tasks.translation.explaining: phrases rules
features > features: made=lazy_presets
features > tasks: lemmatisation pipeline tagging
features > tasks.classification: classification=features
features > tasks.parsing: parsing=features
features > tasks.segmentation: segmentation=features
features > tasks.semantics: semantics=features
features > tasks.transduction: transduction=features
features > tasks.transduction.words: vowels
features > tasks.translation: translation=features
features.parsing > tasks.parsing.features: choice graph graph_presets presets sets
    telling=column_information templates
features.segmentation > tasks.segmentation.features: units words
features.tagging > labelling: presets templates
features.tagging > tasks.lemmatisation: lemma_presets=presets
features.tagging > tasks.tagging: choice=template_choice
fit.cluster > fit.cluster: distributed=schedules
io.files > io.files: kept_beside=text_cache
io.model_file > io.model_file: shipped=shipped_models
learners > learners: union=learner
metrics > metrics: judged=reports
reference > reference.checks: forest_checks hooks
reference > reference.forest: climbing=hill_climbing forest_kbest hypergraph spanning=spanning_trees
reference > reference.learners: hildreth mira mixed=mixed_assignments substructures swvp violations
    voted=voted_perceptron weights
reference > reference.sequence: bins class_bins dp_beam finding=violation_finder mixing=parameter_mixing
    one_bin search spaces trace training
reference > reference.text: alignment clustering
serve > serve: asking=requests described=openapi forms=json_forms gathering=batching patience=timeouts
    refusal=refusals running=process shelf=registry
serve.play > serve.play: film=films kinds=task_play lesson=lessons shipped=small_models
serve.play.kinds > tasks: lemmatisation pipeline semantics translation
serve.play.kinds > tasks.classification: classification=playing
serve.play.kinds > tasks.parsing: parsing=playing
serve.play.kinds > tasks.segmentation: segmentation=playing
serve.play.kinds > tasks.tagging: tagging=playing
serve.play.kinds > tasks.transduction: transduction=playing
tasks > -: task
tasks > engine: chart_tracing experts processors texts tracing word_lists
tasks.classification > tasks.classification.voting: mistakes
tasks.parsing > tasks.parsing.experts: combined=combined_parser
tasks.parsing > tasks.parsing.transitions: building=gold_trees kernel oracles scoring space state systems
    task
tasks.parsing > tasks.parsing.trees: frozen=predictors projective=projectivity tree_task=task
tasks.parsing.experts > tasks.parsing.experts: combined=combined_parser
tasks.parsing.graph > tasks.parsing.graph: compiled=program frozen=predictor
tasks.segmentation > segments: boundaries
tasks.segmentation > tasks.segmentation.units: known_tokens multiword
tasks.segmentation > tasks.segmentation.words: characters clauses word_space=space word_task=task
tasks.semantics > tasks.semantics: frozen=predictor
tasks.semantics > tasks.semantics.execution: deadline
tasks.semantics > tasks.semantics.language: association conjunctions gazetteer grammar notation productions
    reading
tasks.tagging > labelling: dictionary hidden=latent_labels space task
tasks.transduction > alignment: alignment=pairs
tasks.transduction > tasks.transduction.direction: directions=reversal
tasks.transduction > tasks.transduction.experts: combined=combined_transducer
tasks.transduction > tasks.transduction.words: known_words
tasks.transduction.experts > tasks.transduction.experts: combined=combined_transducer
tasks.transduction.words > tasks.transduction.words: unseen=unseen_symbols
tasks.translation > alignment: alignment=bitext symmetrisation vocabulary word_alignment
tasks.translation > tasks.translation.decoding: forced_decoding sentence_bleu space targets task
tasks.translation > tasks.translation.language_model: estimation word_model
tasks.translation > tasks.translation.phrases: extraction left_out=leave_one_out options
tasks.translation > tasks.translation.words: compounds source_words word_forms
tasks.translation.hiero > tasks.translation.hiero: frozen=predictor
tasks.translation.words > tasks.translation.words: unseen=unseen_words
theory > theory: maximal=maximal_margin picture=plots trained=model_margins watching=update_log
training > -: setting=settings
training > fit: combinations epoch learning preference recipe
training > fit.checkpoints: checkpoints state
training > fit.cluster: cluster distributed=schedules hosts payload worker_pool
training > fit.clustering: clustering vector_clusters
training > fit.schedules: logged=hooks mixing ordering schedule serial shards thread_pool
training > fit.streaming: store
training > tasks.classification: classification=settings
training > tasks.parsing: parsing=settings
training > tasks.segmentation: segmentation=settings
training > tasks.semantics: semantics=settings
training > tasks.tagging: tagging=settings
training > tasks.transduction: transduction=settings
training > tasks.translation: translation=settings
training > tasks.translation.fitting: tuning=batch_mira
violations > -: prefix=updates
"""

_NAMES = """
estimators > fit: Stream
estimators > fit.estimator: AnyEstimator Estimator
estimators > loading: load
features.classification > features.keys: READY named_key
tasks > registry: task_of
tasks.task > engine.choices: Choices engine_search
tasks.task > engine.rows: Arrays NO_ROWS Rows array_of check_floats is_text keys_of narrowed numbers_of
    stored_rows texts typed view_of
tasks.task > engine.weights: empty_weights
training > registry: recipe_of
training > tasks.classification.settings: ClassificationRecipe
training > tasks.parsing.settings: ParsingRecipe
training > tasks.segmentation.settings: SegmentationRecipe
training > tasks.semantics.settings: SemanticRecipe
training > tasks.tagging.settings: TaggingRecipe
training > tasks.transduction.settings: TransductionRecipe
training > tasks.translation.settings: TranslationRecipe
data.drafts > io.files.step_cache: Draft=CachedStep Drafts=StepCache draft=cached_step kept_in=caching_in
data.line_by_line > io.files.line_parsing: line_by_line=parse_lines
data.whole > io.files.atomic_write: Writer=WriteLock whole=atomic_write write_whole=write_atomically
metrics.judged > metrics.reports: Judged=Judgement judged_labels=judge_labels judged_symbols=judge_symbols
    judged_tags=judge_tags judged_tree=judge_tree
telling > progress: Told=Listener heard_by=progress_to is_heard=has_listener listener=current_listener
    tell=report_progress
theory.watching > theory.update_log: Judged=UpdateRecord Watched=RecordingLearner
"""


def _entries(table: str) -> dict[str, str]:
    """Return the new full name of each old one."""
    found: dict[str, str] = {}
    for line in table.strip().replace("\n    ", " ").splitlines():
        places, _, moved = line.partition(": ")
        old, new = ("" if place == "-" else f"{place}." for place in places.split(" > "))
        for each in moved.split():
            before, _, after = each.partition("=")
            found[f"structron.{old}{before}"] = f"structron.{new}{after or before}"
    return found


MODULES = _entries(_MODULES)
NAMES = _entries(_NAMES)
