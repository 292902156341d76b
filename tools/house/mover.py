"""Move modules of a checkout by map.py and rewrite every reference. usage: mover.py ROOT"""
import ast, os, re, subprocess, sys, pathlib
sys.path.insert(0, __import__('os').environ['HOUSE'])
from map import R, ALIAS, NAMES
root = pathlib.Path(sys.argv[1]).resolve(); os.chdir(root)
files = subprocess.check_output(['git','ls-files'],text=True).split('\n')
py = [f for f in files if f.endswith('.py')]
mods, pkgs = {}, {}
for f in py:
    if not f.startswith('structron/'): continue
    m = f[:-3].replace('/','.')
    if m.endswith('.__init__'): pkgs[m[:-9]] = f
    else: mods[m] = f
unknown = [m for m in R if m not in mods and m not in pkgs]
if unknown: print('not there:', unknown)
def new(m):
    """new name of a module or package"""
    if m in ALIAS: return ALIAS[m]
    if m in R: return R[m]
    # inside a moved package
    head = m
    while '.' in head:
        head, _, tail = head.rpartition('.')
        if head in R and head in pkgs and m in mods or head in R and m in pkgs and head in pkgs:
            return R[head] + m[len(head):]
    return m
# packages: leave __init__ where it is unless mapped
moves = {}
for m,f in mods.items():
    n = new(m)
    if n != m: moves[f] = n.replace('.','/') + '.py'
gone = [f for p, f in pkgs.items() if p in ALIAS]
for p,f in pkgs.items():
    n = new(p)
    if n != p and p not in ALIAS: moves[f] = n.replace('.','/') + '/__init__.py'
# a mapped module that becomes package of the same name as folder e.g. explaining -> explaining/__init__
targets = {}
for a,b in moves.items(): targets.setdefault(b,[]).append(a)
for b,a in targets.items():
    if len(a)>1: print('CLASH', b, a)
    if (b in files) and b not in moves: print('EXISTS', b, a)

def resolve(module, name):
    """(new module, name) for `from module import name`"""
    full = f'{module}.{name}'
    if (module, name) in NAMES: return NAMES[module, name], name, name
    if full in mods or full in pkgs:
        n = new(full)
        return n.rpartition('.')[0], n.rpartition('.')[2], name
    return new(module), name, name

def rewrite_imports(src, path):
    tree = ast.parse(src); lines = src.split('\n'); edits=[]
    for n in ast.walk(tree):
        if isinstance(n, ast.ImportFrom) and n.module and n.level==0 and n.module.split('.')[0]=='structron':
            out={}
            changed=False
            for a in n.names:
                mod,nm,old = resolve(n.module,a.name)
                if mod!=n.module or nm!=a.name: changed=True
                asname = a.asname or (old if nm!=old else None)
                out.setdefault(mod,[]).append(nm if not asname or asname==nm and not a.asname else f'{nm} as {asname}')
            ind = ' '*n.col_offset
            text=[]
            for mod,names in out.items():
                mod='structron\0'+mod[9:]; one=f'{ind}from {mod} import {", ".join(names)}'
                if len(one)>110: one=f'{ind}from {mod} import (\n'+''.join(f'{ind}    {x},\n' for x in names)+f'{ind})'
                text.append(one)
            tail=lines[n.end_lineno-1][n.end_col_offset:]
            edits.append((n.lineno,n.end_lineno,'\n'.join(text)+tail))
        elif isinstance(n, ast.Import):
            for a in n.names:
                if a.name.split('.')[0]=='structron' and '.' in a.name and new(a.name)!=a.name:
                    if len(n.names)>1: print('multi import', path, n.lineno)
                    ind=' '*n.col_offset
                    edits.append((n.lineno,n.end_lineno,f'{ind}import structron\0{new(a.name)[9:]}'+(f' as {a.asname}' if a.asname else '')))
    for lo,hi,t in sorted(edits,reverse=True): lines[lo-1:hi]=t.split('\n')
    return '\n'.join(lines)

DOTTED=re.compile(r'(?<![\w./])structron(?:\.[a-z_]\w*)+')
PATH=re.compile(r'(?<![\w])structron/([\w/]+)\.py')
def dotted(m):
    t=m.group(0); parts=t.split('.')
    for i in range(len(parts),1,-1):
        head='.'.join(parts[:i])
        if head in mods or head in pkgs: return '.'.join([new(head)]+parts[i:])
    return t
def pathed(m):
    f=m.group(0)
    return moves.get(f,f)
def lazy_tables(src, m):
    """keys of on_first_use tables, relative to the package"""
    if 'on_first_use(' not in src: return src
    newpkg=new(m)
    tree=ast.parse(src); edits=[]
    lines=src.split('\n')
    for n in ast.walk(tree):
        if isinstance(n, ast.Call) and getattr(n.func,'id','')=='on_first_use':
            for k in n.args[1].keys:
                old=f'{m}.{k.value}'; nn=new(old)
                rel = nn[len(newpkg)+1:] if nn.startswith(newpkg+'.') else nn
                if rel!=k.value: edits.append((k.lineno,k.col_offset,k.end_col_offset,f'"{rel}"'))
    for ln,a,b,t in sorted(edits,reverse=True):
        lines[ln-1]=lines[ln-1][:a]+t+lines[ln-1][b:]
    return '\n'.join(lines)

texts=[f for f in files if f.endswith(('.py','.md','.toml','.hpp','.cpp','.pyi','.cfg','.js','.html','Makefile','.json','.rst'))]
for f in texts:
    p=pathlib.Path(f)
    if not p.exists() or f.startswith(('experiments/','benchmarks/')) and f.endswith('.json'): continue
    s=old=p.read_text()
    if f.endswith('.py'):
        m=f[:-3].replace('/','.')
        if m.endswith('.__init__'): s=lazy_tables(s,m[:-9])
        s=rewrite_imports(s,f)
    s=DOTTED.sub(dotted,s); s=PATH.sub(pathed,s).replace('\0','')
    if s!=old: p.write_text(s)
for a,b in sorted(moves.items()):
    d=pathlib.Path(b).parent; d.mkdir(parents=True,exist_ok=True)
    subprocess.check_call(['git','mv','-f' if False else '-k',a,b]) if not pathlib.Path(b).exists() else print('not moved', a, b)
for f in gone: subprocess.check_call(['git','rm','-q','-f',f])
print(len(moves),'moved',len(gone),'gone')
