import pathlib
HELP={"tagging": "Label every word of a sentence: parts of speech, chunks, names.",
    "parsing": "Give every word of a sentence its head and its relation.",
    "transduction": "Rewrite words symbol by symbol: letters as sounds.",
    "translation": "Translate sentences phrase by phrase, from parallel text alone.",
    "segmentation": "Find the sentences, tokens and words of raw text.",
    "semantics": "Find the form of a question in a language of meaning, which a program can answer.",
    "classification": "Give a text, or any bag of features, one label of several, or any number of them.",
    "lemmatisation": "Give every word of a sentence its lemma, from form and tags.",
    "pipeline": "From text, or words, to tags, lemmas and trees: several models in one file."}
DOC={"tagging":"Sequence labelling.","parsing":"Dependency parsing, by transitions or by a graph.","transduction":"Monotone transduction.","translation":"Translation, learned from parallel text: by phrases, or by rules with gaps.",
"segmentation":"Sentences and words in raw text.","semantics":"Questions to forms, and forms to answers.","classification":"Classification: one decision, or one for each label.","lemmatisation":"Lemmas: edit scripts, and what is known of words seen before.","pipeline":"Several models in one file, each of which reads what those before it have written."}
EST={"tagging":"Tagger","parsing":"Parser","transduction":"Transducer","translation":"Translator","segmentation":"Segmenter","semantics":"SemanticParser","classification":"Classifier","lemmatisation":"Lemmatizer","pipeline":"Pipeline"}
TASKC={"tagging":"structron.labelling.task:TaggingTask","parsing":"transitions.task:ParsingTask","transduction":"task:TransductionTask","translation":"decoding.task:TranslationTask","segmentation":"task:SegmentationTask","semantics":"task:SemanticTask","classification":"task:ClassificationTask","lemmatisation":"task:LemmatisationTask","pipeline":"task:PipelineTask"}
REC={"tagging":"TaggingRecipe","parsing":"ParsingRecipe","transduction":"TransductionRecipe","translation":"TranslationRecipe","segmentation":"SegmentationRecipe","semantics":"SemanticRecipe","classification":"ClassificationRecipe"}
LAZY={
"tagging":{"estimator":("Tagger",),"structron.labelling.task":("TaggingTask",),"structron.labelling.dictionary":("Dictionary",),"structron.labelling.space":("HiddenOracle","TagOracle","TagState","TaggingSpace")},
"parsing":{"estimator":("Parser",),"transitions.task":("ParsingTask","token_width"),"graph.task":("GraphParsingTask",),"transitions.oracles":("GoldTree","ParseOracle"),"projective":("crossing","is_projective","lift","lower"),"transitions.space":("ParsingSpace",),"transitions.state":("State",),"transitions.systems":("SYSTEMS","Arc","Transition","TransitionSystem","transitions_for"),"tree_task":("TreeTask",)},
"transduction":{"estimator":("Transducer",),"task":("UNREACHABLE","Pair","Symbols","TransductionSpace","TransductionState","TransductionTask")},
"translation":{"estimator":("Translator",),"decoding.task":("TranslationTask",)},
"segmentation":{"estimator":("Segmenter",),"structron.segments.segmented":("SegmentedSentence","SegmentedToken","conllu"),"task":("SegmentationTask","Spans"),"structron.segments.boundaries":("MULTIWORD","SENTENCE","Token"),"units.known_tokens":("KnownTokens",),"units.multiword":("MultiwordRules",),"words.task":("NO_TAG","TaggedSpans","WordTask")},
"semantics":{"estimator":("SemanticParser",),"task":("SemanticTask",)},
"classification":{"estimator":("Classifier",),"frequencies":("Frequencies",),"space":("ClassificationSpace","LabelOracle"),"task":("Bag","ClassificationTask")},
"lemmatisation":{"estimator":("Lemmatizer",),"scripts":("applied","script_of"),"task":("Known","LemmatisationTask")},
"pipeline":{"estimator":("Pipeline",),"document":("AnalysedSentence","Document","Token","Word"),"task":("STAGES","PipelineTask","Stage")},
}
def full(k,p):
    return p if p.startswith('structron.') else f"structron.tasks.{k}.{p}"
def tup(v): return '("'+'", "'.join(v)+'"'+(',)' if len(v)==1 else ')')
for k in HELP:
    r=pathlib.Path('structron/tasks')/k
    spec=[f'    kind="{k}",',f'    help="{HELP[k]}",',f'    task="{full(k,TASKC[k])}",',f'    estimator="structron.tasks.{k}.estimator:{EST[k]}",']
    if k in REC: spec.append(f'    settings="structron.tasks.{k}.settings:{REC[k]}",')
    if (r/'cli.py').exists(): spec.append(f'    cli="structron.tasks.{k}.cli:CLI",')
    if k=='pipeline': spec.append('    train_command="structron.tasks.pipeline.training_command:COMMAND",')
    spec.append(f'    json_form="structron.tasks.{k}.json_form:FORM",')
    acc='structron.labelling.explaining' if k in ('tagging','lemmatisation') else f'structron.tasks.{k}.explaining'
    if k!='pipeline': spec.append(f'    account="{acc}:account",')
    if (r/'playing.py').exists(): spec.append(f'    play="structron.tasks.{k}.playing:PLAY",')
    spec.append(f'    rank={list(HELP).index(k)},')
    lz=LAZY[k]; names=sorted([n for v in lz.values() for n in v]+["SPEC"], key=lambda n:(not n.isupper(), not n[0].isupper(), n))
    out=f'"""{DOC[k]}"""\n\nfrom typing import TYPE_CHECKING\n\nfrom structron.lazy import on_first_use\nfrom structron.task import TaskSpec\n\nif TYPE_CHECKING:\n'
    for m,v in sorted(lz.items(), key=lambda kv: full(k,kv[0])):
        out+=f'    from {full(k,m)} import {", ".join(v)}\n'
    out+='else:\n    on_first_use(\n        __name__,\n        {\n'
    for m,v in lz.items(): out+=f'            "{m}": {tup(v)},\n'
    out+='        },\n    )\n\n__all__ = ['+', '.join(f'"{n}"' for n in names)+']\n\nSPEC = TaskSpec(\n'+'\n'.join(spec)+'\n)\n'
    (r/'__init__.py').write_text(out)
pathlib.Path('structron/tasks/__init__.py').write_text('"""The tasks: a folder for each, with all that belongs to it; `structron.registry` finds them."""\n')
