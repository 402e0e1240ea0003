#!/usr/bin/env node
// What the TypeScript checker says of every call in a tree, as truth lines (see ../README.md for the schema).
//
//     node checker.js ROOT [--skip REGEX] [--options JSON] [--js]
//
// `typescript` is found from SUREFOOT_TYPESCRIPT, the folder of the installed package. For each call, `new`, tagged
// template, decorator and JSX component the resolved signature is asked for its declaration; a declaration with a
// body is a definition, one without is dispatched, a variable or parameter that merely holds a function is a value.
'use strict';

const fs = require('fs');
const path = require('path');
const ts = require(process.env.SUREFOOT_TYPESCRIPT || 'typescript');
const K = ts.SyntaxKind;

const argv = process.argv.slice(2);
const option = name => { const i = argv.indexOf(name); return i < 0 ? null : argv[i + 1]; };
const root = fs.realpathSync(argv[0]);
const TESTS = '(^|[./_-])(tests?|spec|__tests__|bench(es|marks)?)([./_-]|$)';
const skip = new RegExp(option('--skip') ? `${TESTS}|${option('--skip')}` : TESTS);
const sources = argv.includes('--js') ? /\.[cm]?[jt]sx?$/ : /\.[cm]?tsx?$/;

function* sourceFiles(folder) {
  const entries = fs.readdirSync(folder, {withFileTypes: true}).sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    if (entry.name === 'node_modules' || entry.name.startsWith('.')) continue;
    const full = path.join(folder, entry.name);
    if (entry.isDirectory()) yield* sourceFiles(full);
    else if (sources.test(entry.name) && !/\.d\.[cm]?ts$/.test(entry.name) && !skip.test(path.relative(root, full))) yield full;
  }
}

const options = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  lib: ['lib.es2022.d.ts', 'lib.esnext.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts', 'lib.dom.asynciterable.d.ts'],
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  allowJs: argv.includes('--js'),
  jsx: ts.JsxEmit.Preserve,
  allowImportingTsExtensions: true,
  esModuleInterop: true,
  ...ts.convertCompilerOptionsFromJson(JSON.parse(option('--options') || '{}'), root).options,
};
// JavaScript names no types, so Node's are given to it; they stand beside the package, not beside whoever runs this.
function* typeRoots() {
  for (let d = root; path.dirname(d) !== d; d = path.dirname(d)) {
    const at = path.join(d, 'node_modules', '@types');
    if (fs.existsSync(at)) yield at;
  }
}
if (options.allowJs) options.typeRoots = [...typeRoots()];
const files = [...sourceFiles(root)];
const program = ts.createProgram(files, options);
const checker = program.getTypeChecker();

const inTree = sf => {
  if (sf.isDeclarationFile) return false;
  const rel = path.relative(root, sf.fileName);
  return !rel.startsWith('..') && !rel.split(path.sep).includes('node_modules');
};

/** A package that ships scripts with declarations beside them: a declaration says nothing of which script runs. */
const besideScripts = sf => options.allowJs && sf.isDeclarationFile && !path.relative(root, sf.fileName).startsWith('..');

// ---- places ----------------------------------------------------------------------------------------------------

/** 1-based line and 1-based UTF-8 byte column. */
function place(sf, offset) {
  const {line, character} = sf.getLineAndCharacterOfPosition(offset);
  const start = offset - character;
  return [line + 1, Buffer.byteLength(sf.text.slice(start, offset), 'utf8') + 1];
}
const isBound = p => ts.isVariableDeclaration(p) || ts.isPropertyAssignment(p) || ts.isPropertyDeclaration(p);

/** The node a reader would call the declaration's name. */
function nameOf(decl) {
  if (decl.name) return decl.name;
  let holder = decl.parent;
  while (holder && (ts.isParenthesizedExpression(holder) || ts.isAsExpression(holder) || ts.isSatisfiesExpression(holder) || ts.isParenthesizedTypeNode(holder))) holder = holder.parent;
  if (holder && holder.name && (isBound(holder) || ts.isPropertySignature(holder) || ts.isMethodSignature(holder))) return holder.name;
  if (holder && ts.isBinaryExpression(holder)) return holder.left;
  return decl;
}
const target = decl => [path.relative(root, decl.getSourceFile().fileName), place(decl.getSourceFile(), nameOf(decl).getStart())[0]];
function label(decl) {
  if (ts.isConstructorDeclaration(decl)) return `${decl.parent.name ? decl.parent.name.text : ''}.constructor`;
  const own = nameOf(decl) === decl ? '' : nameOf(decl).getText();
  const owner = decl.parent && (ts.isClassLike(decl.parent) || ts.isInterfaceDeclaration(decl.parent)) && decl.parent.name;
  return owner ? `${owner.text}.${own}` : own;
}

// ---- what the callee expression names ----------------------------------------------------------------------------

const calleeOf = node => ts.isTaggedTemplateExpression(node) ? node.tag : ts.isJsxOpeningLikeElement(node) ? node.tagName : node.expression;
function bare(e) {
  while (ts.isParenthesizedExpression(e) || ts.isNonNullExpression(e) || ts.isAsExpression(e) || ts.isSatisfiesExpression(e) || ts.isTypeAssertionExpression(e) || ts.isExpressionWithTypeArguments(e)) e = e.expression;
  return e;
}
/** The token that names the callee, or the whole expression where none does. */
function nameToken(e) {
  e = bare(e);
  if (ts.isPropertyAccessExpression(e)) return e.name;
  if (ts.isElementAccessExpression(e)) return bare(e.argumentExpression);
  return e;
}
const isName = n => ts.isIdentifier(n) || ts.isPrivateIdentifier(n) || n.kind === K.SuperKeyword || ts.isStringLiteralLike(n);
function symbolAt(node) {
  let s = checker.getSymbolAtLocation(node);
  for (let hops = 0; s && s.flags & ts.SymbolFlags.Alias && hops < 8; hops++) s = checker.getAliasedSymbol(s);
  return s && s.flags & ts.SymbolFlags.Alias ? undefined : s;
}
const functionIn = init => { const i = init && bare(init); return i && (ts.isArrowFunction(i) || ts.isFunctionExpression(i)) ? i : null; };
/** `const f = test ? () => .. : () => ..`: what holds one of several functions, which the signature hides. */
function chosenIn(decl) {
  if (!ts.isArrowFunction(decl) && !ts.isFunctionExpression(decl)) return null;
  let e = decl.parent;
  while (ts.isParenthesizedExpression(e)) e = e.parent;
  if (!ts.isConditionalExpression(e)) return null;
  while (ts.isConditionalExpression(e) || ts.isParenthesizedExpression(e)) e = e.parent;
  return ts.isVariableDeclaration(e) ? e : null;
}
const constructorWithBody = cls => cls.members.find(m => ts.isConstructorDeclaration(m) && m.body);

/**
 * The definition behind a resolved signature: {decl, how, near}. `how` is definition, dispatched or value; `near` are
 * further declarations of the same thing, right when overloads are not told apart; `also` are right as well, and `below`
 * may run.
 */
function definition(node, sig) {
  const decl = sig && sig.declaration;
  const callee = calleeOf(node);
  const symbol = symbolAt(nameToken(callee));
  const declarations = (symbol && symbol.declarations) || [];

  const jsx = ts.isJsxOpeningLikeElement(node);
  const owner = callee.kind === K.SuperKeyword ? checker.getTypeAtLocation(callee).symbol : symbol;
  const made = (owner && owner.declarations) || [];
  const cls = made.find(ts.isClassLike) || made.map(d => isBound(d) && d.initializer && bare(d.initializer)).find(i => i && ts.isClassExpression(i));
  if (ts.isNewExpression(node) || callee.kind === K.SuperKeyword || (jsx && cls)) {
    // An inherited constructor is what runs, if it is of this tree; behind a library's base the class itself is named.
    const inherited = decl && ts.isConstructorDeclaration(decl) && inTree(decl.getSourceFile());
    if (inherited || (decl && ts.isConstructorDeclaration(decl) && !(cls && inTree(cls.getSourceFile())))) {
      const near = [decl.parent, ...made.filter(ts.isClassLike), ...decl.parent.members.filter(ts.isConstructorDeclaration)];
      // A component is written as its class, whichever constructor runs.
      return {decl: constructorWithBody(decl.parent) || decl, how: 'definition', near, also: jsx && cls ? [cls] : []};
    }
    if (cls) {
      const ctor = constructorWithBody(cls);
      return ctor ? {decl: ctor, how: 'definition', near: [cls], also: jsx ? [cls] : []} : {decl: cls, how: 'definition', near: []};
    }
    const fn = made.find(ts.isFunctionDeclaration);
    if (fn) return {decl: fn, how: 'definition', near: made};
    // `interface Shape` beside `const Shape = build(..)` is one declared thing with two declarations.
    const face = made.find(ts.isInterfaceDeclaration);
    const merged = face && made.find(ts.isVariableDeclaration);
    if (merged && inTree(face.getSourceFile())) return {decl: face, how: 'definition', near: [], also: [merged]};
    // `const Shape = build(..)` alone holds a class that some expression made; a parameter, one that a caller chose.
    const value = made.find(d => ts.isVariableDeclaration(d) || ts.isParameter(d) || ts.isBindingElement(d) || ts.isPropertyAssignment(d) || ts.isPropertyDeclaration(d));
    if (value) return {decl: value, how: 'value', near: made};
    if (decl) return {decl, how: 'dispatched', near: made, also: made};
    return made.length ? {decl: made[0], how: 'value', near: []} : {decl: null};
  }
  // A member of a union has a declaration in each of its types: which one runs is chosen then.
  const owners = new Set(declarations.filter(d => d.parent && (ts.isClassLike(d.parent) || ts.isInterfaceDeclaration(d.parent))).map(d => d.parent.symbol));
  if (decl && decl.body && owners.size > 1) return {decl, how: 'dispatched', near: declaredAbove(declarations), also: declarations, below: declarations};
  const choice = decl && decl.body && chosenIn(decl);
  if (choice) return {decl: choice, how: 'value', near: []};
  if (decl && decl.body) return {decl, how: 'definition', near: declarations};
  // An overload: its implementation is the definition.
  const overloads = ((decl && decl.name && checker.getSymbolAtLocation(decl.name)) || symbol || {}).declarations || [];
  const body = overloads.find(d => d.body);
  if (body) return {decl: body, how: 'definition', near: overloads};
  // A name bound to a function expression is that function; bound to anything else it holds a value.
  const bound = declarations.find(d => isBound(d) && d.initializer);
  if (bound) {
    const f = functionIn(bound.initializer);
    return f ? {decl: f, how: 'definition', near: []} : {decl: bound, how: 'value', near: []};
  }
  const holder = declarations.find(d => ts.isParameter(d) || ts.isBindingElement(d));
  if (holder && !ts.isParameterPropertyDeclaration(holder, holder.parent)) return {decl: holder, how: 'value', near: []};
  if (decl) {
    const bodiless = ts.isMethodSignature(decl) || ts.isMethodDeclaration(decl) || ts.isPropertySignature(decl) || ts.isCallSignatureDeclaration(decl) || ts.isFunctionTypeNode(decl) || ts.isConstructSignatureDeclaration(decl);
    // The member that was named and the function type it was declared with are both its declaration.
    return {decl, how: bodiless ? 'dispatched' : 'definition', near: declarations, also: declarations};
  }
  return declarations.length ? {decl: declarations[0], how: 'value', near: []} : {decl: null};
}

// ---- callers -------------------------------------------------------------------------------------------------------

/** The innermost named function around a node; `also` is a function assigned to a member on the way there. */
function callerOf(node, rel) {
  const at = f => ({name: label(f), file: rel, line: place(f.getSourceFile(), nameOf(f).getStart())[0]});
  let also = null;
  let inClass = false;
  for (let p = node.parent; p; p = p.parent) {
    if (ts.isClassLike(p)) inClass = true;
    let named = ts.isFunctionDeclaration(p) || ts.isMethodDeclaration(p) || ts.isConstructorDeclaration(p) || ts.isGetAccessor(p) || ts.isSetAccessor(p);
    if (ts.isFunctionExpression(p) || ts.isArrowFunction(p)) {
      const n = nameOf(p);
      named = !!p.name || (n !== p && isBound(n.parent) && n.parent.name === n);
      if (!named && n !== p && !also) also = at(p);
    }
    if (named) return {...at(p), ...(also && {also})};
  }
  return {module: true, file: rel, ...(inClass && {in_class: true}), ...(also && {also})};
}

// ---- dispatch: which members of the tree stand in for a declared one ---------------------------------------------------

/** Declared member -> members with a body in classes below it. */
function implementations() {
  const found = new Map();
  for (const sf of program.getSourceFiles()) {
    if (!inTree(sf)) continue;
    (function visit(node) {
      if (ts.isClassLike(node) && node.heritageClauses) {
        const members = new Map(node.members.filter(m => m.name && (m.body || functionIn(m.initializer))).map(m => [m.name.getText(), m]));
        for (const h of node.heritageClauses) for (const t of h.types) {
          for (const p of checker.getPropertiesOfType(checker.getTypeAtLocation(t))) {
            const m = members.get(p.name);
            for (const d of m ? p.declarations || [] : []) {
              if (!found.has(d)) found.set(d, new Set());
              found.get(d).add(m);
            }
          }
        }
      }
      ts.forEachChild(node, visit);
    })(sf);
  }
  return found;
}
const implementing = implementations();
/** Members that every one of these stands in for: what the declared type names before it was narrowed. */
const declaredAbove = members => [...implementing].filter(([, set]) => members.every(m => set.has(m))).map(([declared]) => declared);

// ---- the sites -----------------------------------------------------------------------------------------------------

const counts = {files: files.length, sites: 0};
const unique = list => [...new Map(list.map(x => [JSON.stringify(x), x])).values()];

/** What `f.call(..)` and `f.apply(..)` run: a definition of the tree is right there beside the library's member. */
function appliedTo(callee) {
  const member = bare(callee);
  if (!ts.isPropertyAccessExpression(member) || !/^(call|apply)$/.test(member.name.text)) return [];
  const symbol = symbolAt(nameToken(member.expression));
  const named = d => ts.isShorthandPropertyAssignment(d) ? (checker.getShorthandAssignmentValueSymbol(d) || {}).declarations || [] : [d];
  return unique(((symbol && symbol.declarations) || []).flatMap(named).filter(d => (d.body || functionIn(d.initializer)) && inTree(d.getSourceFile())).map(target));
}

function judge(node, sf, rel) {
  const callee = calleeOf(node);
  const token = nameToken(callee);
  const [line, col] = place(sf, token.getStart(sf) + (ts.isStringLiteralLike(token) ? 1 : 0));
  const site = {file: rel, line, col, name: isName(token) ? (ts.isStringLiteralLike(token) ? token.text : token.getText(sf)) : ''};
  if (!site.name) site.implicit = true; // f()(), a[i](), an immediately called function: no name stands there
  site.form = ts.isNewExpression(node) ? 'new' : ts.isDecorator(node) ? 'decorator' : ts.isJsxOpeningLikeElement(node) ? 'jsx' : ts.isTaggedTemplateExpression(node) ? 'tag' : 'call';
  site.caller = callerOf(node, rel);
  let sig;
  try { sig = checker.getResolvedSignature(node); } catch { /* the checker itself failed: no answer */ }
  const {decl, how, near, also, below: chosen} = definition(node, sig);
  if (!decl) { site.class = 'UN'; return site; }
  if (besideScripts(decl.getSourceFile())) { site.class = 'UN'; return site; }
  site.callee = label(decl);
  if (!inTree(decl.getSourceFile())) {
    site.class = 'EXT';
    const run = appliedTo(callee);
    if (run.length) site.targets = run;
    return site;
  }
  site.class = {definition: 'IN', dispatched: 'DYN', value: 'IND'}[how];
  site.targets = unique([decl, ...(also || [])].filter(d => inTree(d.getSourceFile())).map(target));
  const wide = unique((near || []).filter(d => inTree(d.getSourceFile())).map(target)).filter(t => !site.targets.some(s => s[0] === t[0] && s[1] === t[1]));
  if (wide.length) site.near = wide;
  if (site.class === 'DYN') {
    const below = new Set(chosen || []);
    for (const d of [decl, ...(also || [])]) for (const m of implementing.get(d) || []) below.add(m);
    site.impls = unique([...below].map(target));
  }
  return site;
}

for (const sf of program.getSourceFiles()) {
  if (!inTree(sf)) continue;
  const rel = path.relative(root, sf.fileName);
  if (skip.test(rel)) continue;
  const out = [];
  (function visit(node) {
    const call = ts.isCallExpression(node) || ts.isNewExpression(node) || ts.isTaggedTemplateExpression(node) || ts.isJsxOpeningLikeElement(node) || ts.isDecorator(node);
    if (call) {
      const callee = calleeOf(node);
      const intrinsic = ts.isJsxOpeningLikeElement(node) && ts.isIdentifier(callee) && /^[a-z]/.test(callee.text);
      const applied = ts.isDecorator(node) && ts.isCallExpression(node.expression); // the call inside is the site
      if (!intrinsic && !applied && callee.kind !== K.ImportKeyword) out.push(judge(node, sf, rel));
    }
    ts.forEachChild(node, visit);
  })(sf);
  out.sort((a, b) => a.line - b.line || a.col - b.col);
  for (const s of out) {
    counts.sites++;
    counts[s.class] = (counts[s.class] || 0) + 1;
    if (!s.implicit) counts[`explicit_${s.class}`] = (counts[`explicit_${s.class}`] || 0) + 1;
    process.stdout.write(JSON.stringify(s) + '\n');
  }
}
process.stderr.write(JSON.stringify(counts) + '\n');
