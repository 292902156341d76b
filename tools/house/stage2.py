"""After mover.py: new files and structural edits, from the tree as it is."""
import ast, pathlib, re, subprocess, sys, shutil
P=pathlib.Path
def rd(f): return P(f).read_text()
def wr(f,s): P(f).parent.mkdir(parents=True,exist_ok=True); P(f).write_text(s)
def sub(f, *pairs, n=None):
    s=rd(f)
    for a,b in pairs:
        if a not in s: print('MISSING in',f,':',a[:90].replace('\n','⏎')); continue
        s=s.replace(a,b)
    wr(f,s)
# ---------------------------------------------------------------- task.py -> task.py, engine/rows.py, engine/choices.py
src=rd('structron/task.py'); lines=src.split('\n'); tree=ast.parse(src)
seg={}
for i,n in enumerate(tree.body):
    name=getattr(n,'name',None)
    if name is None and isinstance(n,(ast.Assign,ast.AnnAssign)):
        t=n.targets[0] if isinstance(n,ast.Assign) else n.target
        name=t.id
    if name is None: continue
    a=(n.decorator_list[0].lineno if getattr(n,'decorator_list',None) else n.lineno)
    while lines[a-2].startswith('#'): a-=1
    b=n.end_lineno
    if i+1<len(tree.body) and isinstance(tree.body[i+1],ast.Expr): b=tree.body[i+1].end_lineno
    seg[name]='\n'.join(lines[a-1:b])
print('task.py names:', list(seg))
ROWS="Arrays _NONE Rows _EMPTY NO_ROWS check_floats _KINDS view_of keys_of numbers_of stored_rows array_of narrowed typed texts is_text".split()
CHO="Choices engine_search empty_weights".split()
TASK=[n for n in seg if n not in ROWS+CHO]
def join(names):
    out=''
    for n in names:
        small = not re.match(r'(class|def|@)', seg[n].lstrip('# ').split('\n')[-1] if False else seg[n]) and '\n    ' not in seg[n]
        out+=('\n' if small and out and out.endswith('\n') and not out.endswith('\n\n\n') else '\n\n')+seg[n]+'\n' if out else seg[n]+'\n'
    return out
head=rd(__import__('os').environ['HOUSE'] + '/task.py').split('class Supplied')[0]
wr('structron/engine/rows.py','''"""Weights as arrays, and the arrays of model files: nothing that is read is trusted."""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from structron import _core
from structron.errors import ModelError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

'''+join(ROWS))
wr('structron/engine/choices.py','''"""The choices of a training, in the engine's terms."""

from __future__ import annotations

from typing import NamedTuple

from structron import _core
from structron.search import Search
from structron.task import Task


'''+join(CHO))
wr('structron/task.py', head+join(TASK))
wr('structron/engine/__init__.py','"""Between Python and the compiled engine: weights, traces and choices as the engine has them."""\n')
wr('structron/registry.py', rd(__import__('os').environ['HOUSE'] + '/registry.py'))
# ---------------------------------------------------------------- specs
exec(rd(__import__('os').environ['HOUSE'] + '/specs.py'))
# ---------------------------------------------------------------- cli objects
CL={"tagging":"Tagging","parsing":"Parsing","transduction":"Transduction","translation":"Translation","segmentation":"Segmentation","semantics":"Semantics","classification":"Classification","pipeline":"PipelineFace"}
for k,c in CL.items():
    s=rd(f'structron/tasks/{k}/cli.py')
    wr(f'structron/tasks/{k}/cli.py', s.rstrip('\n')+f'\n\n\nCLI = {c}()\n')
for k in CL:
    f=P(f'structron/tasks/{k}/settings.py')
    if f.exists(): f.write_text(re.sub(r'\n\nRECIPE = \w+\n','\n',f.read_text()).rstrip('\n')+'\n')
# ---------------------------------------------------------------- json forms
src=rd('structron/serve/json_forms.py'); lines=src.split('\n'); tree=ast.parse(src)
forms={"tagging":"Tagging","parsing":"Parsing","transduction":"Transduction","translation":"Translation","segmentation":"Segmentation","semantics":"Semantics","classification":"Classification","lemmatisation":"Lemmatisation","pipeline":"Pipeline"}
cut=[]; table=None
for n in tree.body:
    if isinstance(n,ast.ClassDef) and n.name in forms.values(): cut.append((n.lineno,n.end_lineno,n.name))
    if isinstance(n,(ast.AnnAssign,ast.Assign)) and getattr(getattr(n,'target',None) or n.targets[0],'id','')=='FORMS': table=(n.lineno,n.end_lineno)
body={name:'\n'.join(lines[a-1:b]) for a,b,name in cut}
for a,b in sorted([(a,b) for a,b,_ in cut]+[table],reverse=True):
    del lines[a-1:b+2]
base='\n'.join(lines)
wr('structron/serve/json_forms.py', base)
avail=[n.name for n in ast.parse(base).body if isinstance(n,(ast.ClassDef,ast.FunctionDef))]+['Json']
for k,c in forms.items():
    b=body[c]
    extra=[]
    m=re.match(r'class \w+\((\w+)\)',b)
    basecls=m.group(1)
    if basecls not in avail:   # Semantics(Translation)
        print('json form base', k, basecls)
        b=b.replace(f'({basecls})','(Sentence)',1)
    used=[n for n in avail if re.search(rf'\b{n}\b',b)]
    imp=[f'from structron.serve.json_forms import {", ".join(sorted(used))}']
    if re.search(r'\bLimits\b',b): imp.append('from structron.serve.limits import Limits')
    r=[n for n in ('TOO_LARGE','UNFIT','Refused') if re.search(rf'\b{n}\b',b)]
    if r: imp.append(f'from structron.serve.refusals import {", ".join(r)}')
    if 'NO_LABEL' in b: imp.insert(0,'from structron.io.values.trees import NO_LABEL')
    std=['from __future__ import annotations','']
    if 'Sequence[' in b: std.append('from collections.abc import Sequence')
    if re.search(r'\bAny\b',b): std.append('from typing import Any')
    wr(f'structron/tasks/{k}/json_form.py', f'"""{"What the server takes and gives for "+k}."""\n\n'+'\n'.join(std)+'\n\n'+'\n'.join(imp)+f'\n\n\n{b}\n\n\nFORM = {c}()\n')
# ---------------------------------------------------------------- inits
for d,t in {"io/files":"Files: opening, reading and writing them whole.","io/formats":"The formats of the field, one file each.","io/values":"What stands in files: trees, terms, labels, answers.","io/model_file":"The model file.",
 "labelling":"Label sequences: templates over words and tags, states, dictionaries. Tagging, lemmatisation and segmentation stand on it.",
 "fit/schedules":"Who decodes what, when.","fit/cluster":"Training on other machines.","fit/checkpoints":"Training that can be killed and resumed.","fit/streaming":"Training from files that do not fit in memory.","fit/clustering":"Clusters of words.","fit/trials":"Which settings are best.",
 "reference/sequence":"The definition of searches over sequences.","reference/forest":"The definition of searches over forests.","reference/learners":"The definition of learners and update methods.","reference/checks":"Checks of a user's own spaces and oracles.","reference/text":"The definition of what is learned from text without labels.",
 "cli/commands":"The commands, one file each.","cli/terminal":"Streams, signals, progress and options.","cli/draw":"Beams, trees, tables and plots.","cli/demo":"The demo.",
 "tasks/parsing/transitions":"Parsing by transitions.","tasks/parsing/fitting":"What a parser prepares before it learns.","tasks/segmentation/units":"Units of text and their labels.","tasks/segmentation/words":"Segmentation by words.","tasks/segmentation/fitting":"What a segmenter prepares before it learns.",
 "tasks/semantics/language":"The language of meaning: grammars and gazetteers.","tasks/semantics/execution":"Running forms to get answers.","tasks/semantics/fitting":"What a semantic parser prepares before it learns.",
 "tasks/translation/alignment":"Word alignment.","tasks/translation/phrases":"Phrase tables.","tasks/translation/language_model":"Language models.","tasks/translation/decoding":"Phrase-based decoding.","tasks/translation/words":"Words of source and target.","tasks/translation/fitting":"What a translator prepares before it learns."}.items():
    f=P('structron')/d/'__init__.py'
    if f.parent.exists() and not f.exists(): f.write_text(f'"""{t}"""\n')
# ---------------------------------------------------------------- a line of text as an input
sub('structron/serve/json_forms.py',("class Text(Form):",'''class Line(Sentence):
    """A task that turns one sentence, or one question, into a text."""

    takes = "a sentence: a text with blanks between words, or a list of words"

    def read(self, estimator: Any, value: Json, where: str) -> Any:
        """Return the input as it was given: what comes out is of the same kind."""
        return Form.read(self, estimator, value, where)

    def check(self, x: Any, where: str, limits: Limits) -> None:
        """Refuse a sentence that is too long."""
        within(len(x.split() if isinstance(x, str) else x), limits.longest, where, "words")


class Text(Form):'''),('from structron.io.values.trees import NO_LABEL\n',''))
wr('structron/tasks/translation/json_form.py','''"""What the server takes and gives for translation."""

from __future__ import annotations

from structron.serve.json_forms import Json, Line


class Translation(Line):
    """A sentence to a sentence."""

    gives = "a text for a text, a list of words for a list"
    example: Json = "das haus ist klein"


FORM = Translation()
''')
sub('structron/tasks/semantics/json_form.py',('import Json, Sentence','import Json, Line'),('(Sentence)','(Line)'))
# ---------------------------------------------------------------- look-ups by the registry
sub('structron/model.py',('from structron.registry import KINDS, MORE_KINDS, task_of','from structron import registry'),
 ('if str(kind) not in {**KINDS, **MORE_KINDS}:','if not registry.has(str(kind)):'),('if kind not in {**KINDS, **MORE_KINDS}:','if not registry.has(kind):'),('task_of(kind).restore','registry.task_of(kind).restore'))
s=rd('structron/fit/__init__.py')
a=s.index('def recipe_of'); b=s.index('if TYPE_CHECKING:')
s=s[:a]+s[b:]
s=re.sub(r'from importlib import import_module\n','',s); s=re.sub(r'from structron.registry import [^\n]*\n','',s)
s=s.replace('\n    def __getattr__(name: str) -> type[Recipe]: ...\n','').replace('        otherwise=_recipe,\n','').replace('    "recipe_of",\n','')
s=s.replace('''    from structron.fit.streaming.store import''','''    from structron.fit.streaming.examples import Stream
    from structron.fit.streaming.store import''').replace('''            "streaming.store":''','''            "streaming.examples": ("Stream",),
            "streaming.store":''').replace('    "Store",\n','    "Store",\n    "Stream",\n')
wr('structron/fit/__init__.py',s)
s=rd('structron/explaining/account.py')
a=s.index('    kind = model.task.kind\n'); b=s.index('    return make(model, x)')
s=s[:a]+'''    spec = registry.spec_of(model.task.kind)
    if not spec.account:
        raise SettingError(f"explain is not for {spec.kind}, whose features have no names yet; use show")
    make: Callable[[Model[Any], Any], Account] = spec.load("account")
'''+s[b:]
s=s.replace('from importlib import import_module\nfrom importlib.util import find_spec\n','').replace('from structron.errors import SettingError\n','from structron import registry\nfrom structron.errors import SettingError\n')
s=s.replace('''A task that explains itself has a module or folder `structron.explaining.<kind>` with a function `ACCOUNT`,
from a model and an input, as the engine takes it, to an `Account`.''','''A task that explains itself declares a function `account` in its `TaskSpec`, from a model and an input, as the
engine takes it, to an `Account`.''')
wr('structron/explaining/account.py',s)
s=rd('structron/serve/play/task_play/__init__.py')
a=s.index('def play_of'); b=s.index('def listed')
s=s[:a]+'''def play_of(kind: str) -> Play:
    """Return what is known of a task."""
    spec = registry.spec_of(kind)
    play: Play = spec.load("play") if spec.play else Play()
    return play


def learned() -> tuple[str, ...]:
    """Return the tasks that have lessons."""
    return tuple(spec.kind for spec in registry.specs() if spec.play and play_of(spec.kind).formats)


'''+s[b:]
s=s.replace('from importlib import import_module\nfrom importlib.util import find_spec\n','').replace('from structron.registry import KINDS\n','').replace('from structron.errors import','from structron import registry\nfrom structron.errors import',1)
s=s.replace('''A task says it by an object `PLAY` in `structron.serve.play.task_play.<kind>`.''','''A task says it by the object `play` of its `TaskSpec`.''')
wr('structron/serve/play/task_play.py',s); shutil.rmtree('structron/serve/play/task_play')
# ---------------------------------------------------------------- commands
s=rd('structron/cli/task_cli.py')
a=s.index('def face_of'); b=s.index('def place_of'); s=s[:a]+s[b:]
a=s.index('# What `train` makes models for'); b=s.index('# Plain data, as JSON'); s=s[:a]+s[b:]
s=s.replace('from structron.registry import KINDS, MORE_KINDS\n','').replace('from structron.errors import','from structron import registry\nfrom structron.errors import',1).replace('from importlib import import_module\n','')
s=s.replace('not in TRAINED','not in registry.trained()').replace("', '.join(TRAINED)","', '.join(registry.trained())").replace('face = face_of(','face = registry.cli_of(')
s=s.replace('''"""What the commands ask of a task: how it is read, written, scored, shown and described.

A task's face is `FACE` of `structron.tasks.<task>`. It is loaded when it is needed: `--help` does not wait for
it.
"""''','''"""What the commands ask of a task: how it is read, written, scored, shown and described.

A task declares it as `cli` of its `TaskSpec`. It is loaded when it is needed: `--help` does not wait for it.
"""''')
wr('structron/cli/task_cli.py',s)
ren=[(r'\bface\.face_of\(','registry.cli_of('),(r'\bface\.TRAINED\b','registry.trained()'),(r'\bface_of\(','cli_of(')]
for f in [*P('structron').rglob('*.py'),*P('tests').rglob('*.py'),*P('benchmarks').rglob('*.py'),*P('models').rglob('*.py'),*P('tools').rglob('*.py')]:
    s=o=f.read_text()
    for a,b in ren: s=re.sub(a,b,s)
    s=s.replace('import face_of','import cli_of').replace('AnyFace','AnyTaskCLI').replace('class Face(Protocol','class TaskCLI(Protocol').replace('import Face\n','import TaskCLI\n').replace('= Face[','= TaskCLI[').replace(': Face[',': TaskCLI[')
    if s!=o:
        if 'registry.' in s and not re.search(r'from structron import (.*, )?registry|import registry', s):
            s=re.sub(r'^from structron\.',"from structron import registry\nfrom structron.",s,count=1,flags=re.M)
        f.write_text(s)
for f in [str(x) for x in P('structron').rglob('*.py') if 'registry import KINDS' in x.read_text()]:
    s=rd(f).replace('from structron.registry import KINDS\n','')
    s=re.sub(r'(?<![\w.])KINDS\b','registry.learned()',s)
    if 'from structron import registry' not in s: s=re.sub(r'^from structron\.',"from structron import registry\nfrom structron.",s,count=1,flags=re.M)
    wr(f,s)
s=rd('structron/tasks/pipeline/training_command.py').replace('from structron.registry import MORE_KINDS\n','').replace('MORE_KINDS["pipeline"]','SPEC.help')
s=re.sub(r'^from structron\.',"from structron.tasks.pipeline import SPEC\nfrom structron.",s,count=1,flags=re.M)
wr('structron/tasks/pipeline/training_command.py',s)
sub('structron/cli/commands/train.py',('''    if task not in registry.learned():
        command: click.Command = import_module(f"structron.cli.{task}.training").COMMAND
        return command
''','''    spec = registry.spec_of(task)
    if spec.train_command:
        command: click.Command = spec.load("train_command")
        return command
'''),('from importlib import import_module\n',''),('short_help=registry.learned()[task]','short_help=spec.help'),('{registry.learned()[task]}','{spec.help}'))
sub('structron/cli/app.py',('f"structron.cli.{cmd_name}"','f"structron.cli.commands.{cmd_name}"'))
sub('structron/serve/registry.py',('from structron.serve.json_forms import FORMS, Form','from structron.serve.json_forms import Form'),('return FORMS[self.kind]','form: Form = spec_of(self.kind).load("json_form")\n        return form'),('estimator.model_.task.kind not in FORMS','not spec_of(estimator.model_.task.kind).json_form'))
s=rd('structron/serve/registry.py'); s=re.sub(r'^from structron\.serve',"from structron.registry import spec_of\nfrom structron.serve",s,count=1,flags=re.M); wr('structron/serve/registry.py',s)
wr('structron/loading.py','''"""Reading a model of any kind."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from structron import registry
from structron.model import Model


def load(path: str | Path) -> Any:
    """Read a model of any kind, with the estimator that saved it: of a task, or a whole pipeline."""
    model = Model.load(path)
    return registry.estimator_of(model.task.kind).of_model(model, str(path))
''')
s=rd('structron/__init__.py')
s=re.sub(r'from structron\.registry import load','from structron.loading import load',s)
for k,e in EST.items():
    s=s.replace(f'"estimators.{k}": ("{e}",)',f'"tasks.{k}": ("{e}",)').replace(f'"registry.{k}": ("{e}",)',f'"tasks.{k}": ("{e}",)')
s=s.replace('"estimators": ("load",)','"loading": ("load",)').replace('"registry": ("load",)','"loading": ("load",)')
wr('structron/__init__.py',s)
s=rd('structron/lazy.py')
s=s.replace('''            value = getattr(import_module(f"{self.__name__}.{self._files[name]}"), name)
''','''            place = self._files[name]
            module = place if place.startswith("structron.") else f"{self.__name__}.{place}"
            value = getattr(import_module(module), name)
''')
wr('structron/lazy.py',s)


# ---------------------------------------------------------------- keys of named features
s=rd('structron/tasks/classification/features.py')
m=re.search(r'^READY = [^\n]*\n',s,re.M); ready=m.group(0); s=s.replace(ready,'')
a=s.index('def named_key'); b=s.find('\n\n\n',a); fn=s[a:b if b>0 else len(s)].rstrip('\n'); s=s.replace(fn+'\n\n\n','').replace(fn+'\n','')
if re.search(r'\bREADY\b|named_key',s): s=re.sub(r'^from structron\.features\.keys import ([^\n(]*)$',lambda m:f'from structron.features.keys import {m.group(1)}, READY, named_key',s,count=1,flags=re.M)
wr('structron/tasks/classification/features.py',s)
s=rd('structron/features/keys.py').rstrip('\n')+'\n\n\n'+ready.replace('  # and those of features by name with this, as in every task','  # what keys of features by name begin with')+'\n\n'+fn+'\n'
wr('structron/features/keys.py',s)
for f in P('structron').rglob('explaining*'):
    for g in ([f] if f.suffix=='.py' else f.glob('__init__.py')):
        t=g.read_text(); t2=re.sub(r'\n\nACCOUNT = account\n','\n',t).rstrip('\n')+'\n'
        if t2!=t: g.write_text(t2)
if P('structron/explaining/lemmatisation.py').exists(): P('structron/explaining/lemmatisation.py').unlink()
if P('structron/demo').exists() and not P('structron/demo/__init__.py').exists(): wr('structron/demo/__init__.py','"""The demo: every task in about a minute, on data that are made up."""\n')
if not P('structron/alignment/__init__.py').exists(): wr('structron/alignment/__init__.py','"""Alignment: pieces of pairs, and words of parallel text."""\n')
# ---------------------------------------------------------------- tasks do not import each other
T='from typing import TYPE_CHECKING'
def guard(f, line, block='if TYPE_CHECKING:\n'):
    """move an import under TYPE_CHECKING"""
    s=rd(f); assert line+'\n' in s,(f,line); s=s.replace(line+'\n','')
    if block in s: s=s.replace(block,block+'    '+line+'\n',1)
    else:
        m=list(re.finditer(r'^(from structron|import structron)[^\n]*(\([^)]*\))?\n',s,re.M))[-1]
        s=s[:m.end()]+'\nif TYPE_CHECKING:\n    '+line+'\n'+s[m.end():]
        if 'TYPE_CHECKING' not in s.split('if TYPE_CHECKING')[0]:
            m=re.search(r'^from typing import ([^\n]*)\n',s,re.M)
            s=s.replace(m.group(0),f'from typing import TYPE_CHECKING, {m.group(1)}\n',1) if m else s.replace('\n\nfrom structron',f'\n{T}\n\nfrom structron',1)
    wr(f,s)
def uses(f,*names):
    s=rd(f); s=re.sub(r'^from structron\.',f'from structron.registry import {", ".join(names)}\nfrom structron.',s,count=1,flags=re.M); wr(f,s)
F='structron/tasks/parsing/fitting/'
guard(F+'jackknife.py','from structron.tasks.tagging import Tagger')
guard(F+'treebank_stats.py','from structron.tasks.tagging import Tagger'); uses(F+'treebank_stats.py','estimator_of')
sub(F+'treebank_stats.py',('            return Tagger(seed','            tagging: type[Tagger] = estimator_of("tagging")\n            return tagging(seed'))
F='structron/tasks/lemmatisation/estimator.py'
s=rd(F); s=re.sub(r'from structron.tasks.tagging import Tagger\n','',s); s=re.sub(r'from structron.tasks.tagging import TaggingTask\n','from structron.labelling.task import TaggingTask\n',s); wr(F,s); uses(F,'estimator_of')
sub(F,('        tagger = Tagger(','        tagger = estimator_of("tagging")('))
F='structron/tasks/pipeline/fitting.py'
for line in ('from structron.tasks.lemmatisation import Lemmatizer','from structron.tasks.tagging import Tagger'): guard(F,line)
s=rd(F)
for line in ('from structron.tasks.parsing import Parser\n','from structron.tasks.segmentation import Segmenter\n','from structron.tasks.parsing.features.choice import ColumnFigures, suited_cut, suited_preset\n'): assert line in s,line; s=s.replace(line,'')
wr(F,s); uses(F,'estimator_of')
sub(F,('segmenter = Segmenter(','segmenter = estimator_of("segmentation")('),('            return Tagger(**','            tagging: type[Tagger] = estimator_of("tagging")\n            return tagging(**'),
 ('own = Lemmatizer(seed','lemmatisation: type[Lemmatizer] = estimator_of("lemmatisation")\n            own = lemmatisation(seed'),('own = Lemmatizer.of_model(','own: Lemmatizer = estimator_of("lemmatisation").of_model('),('parser = Parser(**','parser = estimator_of("parsing")(**'),
 ('''        figures = ColumnFigures.of(xs, trees)
        templates = suited_preset(figures, "arc-standard", "fast" if self.settings.cheap else "")
        settings = {"templates": templates, "clusters": self.clusters} | dict(self.settings.parser)
        if not suited_cut(figures, "arc-standard"):  # a small treebank keeps all features
            settings["cut"] = 0
        return settings
''','''        parser: Any = estimator_of("parsing")
        suited, cuts = parser.suited_to(xs, trees, "fast" if self.settings.cheap else "")
        settings = {"templates": suited, "clusters": self.clusters} | dict(self.settings.parser)
        if not cuts:  # a small treebank keeps all features
            settings["cut"] = 0
        return settings
'''))
F='structron/tasks/pipeline/stages.py'
s=rd(F); s=s.replace('from structron.tasks.tagging import TaggingTask\n','from structron.labelling.task import TaggingTask\n').replace('from structron.tasks.lemmatisation import Lemmatizer\n','').replace('from structron.tasks.segmentation import Segmenter\n',''); wr(F,s); uses(F,'estimator_of')
sub(F,('Segmenter.of_model(','estimator_of("segmentation").of_model('),('Lemmatizer.of_model(','estimator_of("lemmatisation").of_model('))
F='structron/tasks/pipeline/estimator.py'
s=rd(F); s=s.replace('        from structron.tasks.parsing.settings import ParsingRecipe\n','        from structron.registry import recipe_of\n').replace('ParsingRecipe.epochs','recipe_of("parsing").epochs'); wr(F,s)
s=rd('structron/tasks/parsing/estimator.py')
a=s.index('    def predict_with_tags') if '    def predict_with_tags' in s else s.index('    def trace')
s=s[:a]+'''    @staticmethod
    def suited_to(xs: Sequence[Any], trees: Sequence[Any], preference: str = "") -> tuple[str, int]:
        """Return the preset and the cut that suit words with columns and their trees, for arc-standard."""
        from structron.tasks.parsing.features.choice import ColumnFigures, suited_cut, suited_preset

        figures = ColumnFigures.of(xs, trees)
        return suited_preset(figures, "arc-standard", preference), suited_cut(figures, "arc-standard")

'''+s[a:]
wr('structron/tasks/parsing/estimator.py',s)
s=rd('structron/segments/passages.py'); s=s.replace('from structron.tasks.segmentation import MULTIWORD, SENTENCE, Token','from structron.segments.boundaries import MULTIWORD, SENTENCE, Token'); wr('structron/segments/passages.py',s)
# ---------------------------------------------------------------- small models of the playground
sub('structron/serve/play/task_play.py',('''    settings
        Those of a lesson, besides what people choose.
''','''    settings
        Those of a lesson, besides what people choose.
    small_model
        A model that comes with the playground: its name, how many made-up examples it learns from, and its
        settings; None for none.
'''),('''    settings: Mapping[str, Any] = {}
''','''    settings: Mapping[str, Any] = {}
    small_model: tuple[str, int, Mapping[str, Any]] | None = None
'''))
sub('structron/tasks/tagging/playing.py',('''    editor = "tags"
''','''    editor = "tags"
    small_model = ("tagger", 500, {"epochs": 5, "search": "beam:4"})
'''))
sub('structron/tasks/parsing/playing.py',('''    editor = "tree"
''','''    editor = "tree"
    small_model = (
        "parser",
        300,
        {
            "epochs": 4,
            "search": "beam:8",
            "system": "arc-standard",
            "templates": "fast_tags",
            "tagger": "jackknife:2",
        },
    )
'''))
sub('structron/tasks/transduction/playing.py',('''    formats = "give lines''','''    small_model = ("sounds", 400, {"epochs": 4})
    formats = "give lines'''))
wr('structron/serve/play/shipped.py','''"""What comes with the playground: a synthetic treebank, and models that are learned from it in seconds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from structron import registry
from structron.synthetic import Tree, generate_treebank


def trees(count: int, seed: int) -> list[Tree]:
    """Return sentences with tags and trees."""
    return generate_treebank(count, np.random.default_rng(seed))


def small_models() -> Iterator[tuple[str, Any]]:
    """Yield the small models that tasks declare for the playground, learned from made-up examples."""
    for spec in registry.specs():
        small = spec.load("play").small_model if spec.play else None
        if small is not None:
            name, count, settings = small
            X, y = spec.load("play").examples(count, 0)
            yield name, spec.load("estimator")(**settings).fit(X, y)
''')
s=rd('structron/cli/command_list.py')
s=s.replace('A command is the function of its name in `structron.cli.<name>`','A command is the function of its name in `structron.cli.commands.<name>`, or where `PLACES` says').rstrip('\n')+'\n\nPLACES = {"demo": "structron.demo.command"}  # it stands above the tasks, which the commands do not know\n'
wr('structron/cli/command_list.py',s)
sub('structron/cli/app.py',('import_module(f"structron.cli.commands.{cmd_name}")','import_module(PLACES.get(cmd_name, f"structron.cli.commands.{cmd_name}"))'),('import HELP','import HELP, PLACES'))
# ---------------------------------------------------------------- layers
s=rd('pyproject.toml'); a=s.index('[[tool.importlinter.contracts]]')
s=s[:a]+'''[[tool.importlinter.contracts]]
name = "Each floor stands only on the ones below"
type = "layers"
layers = [
  "structron.demo",
  "structron.adapters",
  "structron.tasks",
  "structron.cli",
  "structron.serve",
  "structron.loading",
  "structron.alignment | structron.labelling | structron.segments",
  "structron.theory",
  "structron.fit",
  "structron.explaining",
  "structron.model",
  "structron.engine",
  "structron.learners",
  "structron.updates | structron.metrics",
  "structron.task : structron.search : structron.reference",
  "structron.synthetic | structron.features",
  "structron.io",
  "structron.registry",
  "structron.settings",
  "structron.errors : structron.progress",
  "structron.lazy",
]

[[tool.importlinter.contracts]]
name = "Tasks do not import each other"
type = "independence"
modules = ["structron.tasks.*"]
'''
wr('pyproject.toml',s)
if not P('structron/segments/__init__.py').exists(): wr('structron/segments/__init__.py','"""Units of text, their labels, and the tokens and sentences that they stand for."""\n')
sub('structron/cli/commands/audit.py',('        from structron.demo.one_bound import one_line','        one_line = import_module("structron.demo.one_bound").one_line')) if False else None
sub('structron/cli/commands/audit.py',('    from structron.demo.one_bound import show_line\n\n    show_line()\n','    import_module("structron.demo.one_bound").show_line()  # it stands above the tasks\n'),('from typing import TYPE_CHECKING','from importlib import import_module\nfrom typing import TYPE_CHECKING'))
# ---------------------------------------------------------------- tests and the rest
sub('structron/io/model_file/shipped.py',('.parent.parent / "models"','.parents[2] / "models"'))
for f in P('tests').rglob('*.py'):
    s=o=f.read_text()
    m=re.search(r'^( *)from structron\.registry import ([^\n(]*\bKINDS\b[^\n(]*)$',s,re.M)
    if m:
        names=[n.strip() for n in m.group(2).split(',')]
        rest=[n for n in names if n not in ('KINDS','MORE_KINDS')]
        s=s.replace(m.group(0), f"{m.group(1)}from structron.registry import {', '.join(sorted({*rest,'learned'} | ({'specs'} if 'MORE_KINDS' in names else set())))}")
        decl='KINDS = learned()\n'+('MORE_KINDS = {spec.kind: spec.help for spec in specs() if not spec.settings}\n' if 'MORE_KINDS' in names else '')
        if m.group(1): # inside a function
            s=s.replace(re.search(r'^ *from structron\.registry import [^\n]*$',s,re.M).group(0), re.search(r'^ *from structron\.registry import [^\n]*$',s,re.M).group(0)+'\n\n'+''.join(m.group(1)+l+'\n' for l in decl.splitlines()))
        else:
            last=[x for x in ast.parse(s).body if isinstance(x,(ast.Import,ast.ImportFrom))][-1].end_lineno
            L=s.split('\n'); L[last:last]=['',*decl.rstrip('\n').split('\n')]; s='\n'.join(L)
    s=s.replace('f"structron.cli.{name}"','PLACES.get(name, f"structron.cli.commands.{name}")')
    s=s.replace('from structron.tasks.translation import ESTIMATOR, Translator','from structron.tasks.translation import Translator').replace('    assert ESTIMATOR is Translator\n','    assert estimator_of("translation") is Translator\n')
    if s!=o:
        if 'PLACES' in s and 'import HELP, PLACES' not in s: s=s.replace('command_list import HELP','command_list import HELP, PLACES')
        if 'estimator_of("translation") is Translator' in s and 'import estimator_of' not in s: s=re.sub(r'^from structron.tasks.translation import Translator$','from structron.registry import estimator_of\nfrom structron.tasks.translation import Translator',s,flags=re.M)
        f.write_text(s)
f=P('tests/unit/test_first_use.py'); s=f.read_text()
s=s.replace('assert read == {name: f"{package}.{file}" for file, names in table.items() for name in names}','assert read == {name: place(package, file) for file, names in table.items() for name in names}')
s=s.replace('import_module(f"{package}.{file}")','import_module(place(package, file))')
s=s.replace('\n\n@pytest.mark.parametrize("package", PACKAGES)\ndef test_the_table','\n\ndef place(package: str, file: str) -> str:\n    """Return the module that a table names: below its package, or anywhere."""\n    return file if file.startswith("structron.") else f"{package}.{file}"\n\n\n@pytest.mark.parametrize("package", PACKAGES)\ndef test_the_table',1)
f.write_text(s)
s=rd('structron/cli/task_cli.py')
s=s.replace('''    if model.task.kind not in registry.trained():
''','''    if not registry.spec_of(model.task.kind).cli:
''')
wr('structron/cli/task_cli.py',s)
# ---------------------------------------------------------------- old names
sys.path.insert(0,__import__('os').environ['HOUSE'])
from map import R, ALIAS, NAMES as MOVED
wr('structron/renames.py', rd(__import__('os').environ['HOUSE'] + '/renames.py'))
table={**R,**ALIAS}
here=lambda m: P(m.replace('.','/')+'.py').exists() or P(m.replace('.','/')).is_dir()
missing=[n for n in table.values() if not here(n)]
if missing: print('renames to nowhere', sorted(set(missing))[:10])
old_pk=["structron.data","structron.training","structron.estimators"]
wr('structron/renames_table.py','"""Modules that have another name since 0.3, and names that moved out of one."""\n\nMODULES = {\n'+''.join(f'    "{a}": "{b}",\n' for a,b in sorted(table.items()) if not here(a))+'}\n\nNAMES = {\n'+''.join(f'    "{m}.{n}": "{b}",\n' for (m,n),b in sorted(MOVED.items()) if n not in('face_of','KINDS','MORE_KINDS'))+'}\n')
s=rd('structron/__init__.py')
s=s.replace('''from structron.lazy import on_first_use
''','''from structron.lazy import on_first_use
from structron.renames import install
''',1).replace('\nif TYPE_CHECKING:','\ninstall()\n\nif TYPE_CHECKING:',1)
wr('structron/__init__.py',s)
# own tasks
for f in P(__import__('os').environ['HOUSE'] + '/new').rglob('*'):
    if f.is_file() and '__pycache__' not in str(f): wr(str(f.relative_to(__import__('os').environ['HOUSE'] + '/new')), f.read_text())
s=rd('bind/module.cpp')
if 'bind_own' not in s:
    s=re.sub(r'(void bind_parsing\(nb::module_& m\);\n|void bind_parsing\([^;]*;\n)',r'void bind_own(nb::module_& m);\n\1',s,count=1); s=re.sub(r'(\n\s*bind_parsing\(m\);)',r'\n  bind_own(m);\1',s,count=1)
    wr('bind/module.cpp',s)
s=rd('structron/_core.pyi')
if 'class OwnCorpus' not in s:
    wr('structron/_core.pyi', s.rstrip('\n')+'''

class OwnCorpus:
    def __init__(self, weights: Weights) -> None: ...
    @property
    def sentences(self) -> int: ...
    @property
    def tokens(self) -> int: ...
    def add(self, space: Any, oracle: Any) -> None: ...

class LiveOwn:
    def __init__(
        self,
        corpus: OwnCorpus,
        weights: Weights,
        search: Search,
        update: int,
        skip_correct: bool,
        learner: Learner,
    ) -> None: ...
    def run(self, order: _U32, batch: int = 1, threads: int = 1) -> _Counts: ...
    def find(self, examples: _U32, numbers: _U32, threads: int = 1) -> tuple[_Counts, _Found]: ...
    @property
    def waited_seconds(self) -> float: ...
    @property
    def change_seconds(self) -> float: ...
    def trace(self, example: int, /) -> dict[str, Any]: ...

class FrozenOwn:
    def __init__(self, bits: int, rows: _Rows) -> None: ...
    @property
    def decode_seconds(self) -> float: ...
    @property
    def evictions(self) -> int: ...
    def predict(self, spaces: Sequence[Any], search: Search, threads: int = 1) -> list[list[int]]: ...
    def kbest(
        self, spaces: Sequence[Any], k: int, search: Search, threads: int = 1
    ) -> list[list[tuple[list[int], float]]]: ...
    def trace(self, space: Any, gold: Any, search: Search) -> dict[str, Any]: ...
''')
# layers know the room of own tasks
s=rd('pyproject.toml').replace('  "structron.tasks",\n  "structron.cli",','  "structron.tasks | structron.own",\n  "structron.cli",').replace('  "structron.lazy",\n]','  "structron.lazy",\n  "structron.renames",\n  "structron.renames_table",\n]')
wr('pyproject.toml',s)
f=P('tests/unit/cli/test_starting.py'); s=f.read_text()
i=s.index('def heavy('); j=s.index('\n\n\n',s.index('def own('))
s=s[:i]+'''def rooms(modules: set[str]) -> set[str]:
    """Packages that hold nothing but a docstring: they are counted as nothing."""
    found = set()
    for name in modules:
        place = ROOT.joinpath(*name.split("."), "__init__.py")
        if name.startswith("structron.") and place.exists():
            if len(ast.parse(place.read_text(encoding="utf-8")).body) == 1:
                found.add(name)
    return found


def heavy(modules: set[str]) -> list[str]:
    """Those that are too much; an empty package, whose names come on first use, is not."""
    files = modules - rooms(modules)
    return sorted(name for name in files if name.startswith(FILES) or name.partition(".")[0] in LIBRARIES)


def own(modules: set[str]) -> int:
    """How many are structron's."""
    return sum(name.startswith("structron") for name in modules - rooms(modules))'''+s[j:]
s=s.replace('import pickle\n','import ast\nimport pickle\n',1).replace('\nCOUNT = (','\nROOT = Path(__file__).parents[3]\nCOUNT = (',1)
f.write_text(s)

sub('structron/cli/commands/info.py',('found["task"] in registry.learned()','registry.spec_of(found["task"]).settings'))
s=rd('structron/cli/task_cli.py'); s=re.sub(r'(?<![\w.])TRAINED\b','registry.trained()',s); wr('structron/cli/task_cli.py',s)
s=rd('structron/engine/rows.py'); s=s.replace('Any, NamedTuple, TypeAlias','Any, NamedTuple, TypeAlias, cast') if 'cast(' in s else s; wr('structron/engine/rows.py',s)
s=rd('tests/forking.py')
i=s.index('    from structron.registry import'); j=s.index('    server = socket.socket')
s=s[:i]+'''    from structron.registry import specs

    for spec in specs():
        spec.load("estimator")

'''+s[j:]
wr('tests/forking.py',s)
