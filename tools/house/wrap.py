import subprocess, json, re, pathlib
out=subprocess.run(['.venv/bin/ruff','check','--select','E501','--output-format','json','.'],capture_output=True,text=True).stdout
by={}
for e in json.loads(out): by.setdefault(e['filename'],set()).add(e['location']['row'])
for f,rows in by.items():
    L=pathlib.Path(f).read_text().split('\n')
    for r in sorted(rows,reverse=True):
        line=L[r-1]; ind=re.match(r' *',line).group(0)
        if '"""' in line and line.count('"""')==2 or not re.search(r'["\']{1}.*["\']$',line.strip()) :
            cut=line.rfind(' ',0,109)
            if cut<=len(ind)+10: print('cannot', f, r); continue
            L[r-1:r]=[line[:cut], ind+line[cut+1:]]
        else: print('by hand', f, r, line.strip()[:80])
    pathlib.Path(f).write_text('\n'.join(L))
