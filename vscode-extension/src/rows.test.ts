import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CallNode, CallTree, SymbolRef } from './protocol';
import { callRow, emptyRow, summary, title, unplacedRow } from './rows';

const range = (line: number) => ({ start: { line, character: 4 }, end: { line, character: 8 } });
const symbol = (name: string): SymbolRef => ({
    handle: name, name, kind: 12, container: 'app', uri: 'file:///w/app.rs', range: range(0), selectionRange: range(0),
});
const node = (over: Partial<CallNode>): CallNode => ({
    symbol: symbol('run'), tier: 'certain', rule: 'use-import', resolver: 'static',
    sites: [{ uri: 'file:///w/app.rs', range: range(11) }], note: null, named: false, recursion: false, children: null, ...over,
});
const tree = (nodes: CallNode[], floor: string | null = null): CallTree =>
    ({ root: symbol('load'), direction: 'callers', floor, nodes, truncated: 0 });
const shorten = (uri: string) => uri.replace('file:///w/', '');

test('a tier is a glyph and a word, on screen and to a screen reader, because colour and shape fail some people', () => {
    for (const [tier, glyph] of [['certain', '●'], ['likely', '◐'], ['possible', '○']] as const) {
        const row = callRow(node({ tier }), symbol('run'), 'callers', shorten);
        assert.equal(row.description, `${glyph} ${tier} · use-import · app.rs:12`);
        assert.equal(row.spoken, `called by app › run, ${tier}, by the rule use-import, 1 call, app.rs line 12`);
    }
});

test('a row names the server that placed its edge, its further sites and its recursion, so that nothing looks like our own proof', () => {
    const sites = [11, 20].map((line) => ({ uri: 'file:///w/app.rs', range: range(line) }));
    const row = callRow(node({ resolver: 'rust-analyzer 1.85.1', sites, recursion: true }), symbol('run'), 'callers', shorten);
    assert.equal(row.label, 'run ↻');
    assert.equal(row.description, '● certain · use-import · by rust-analyzer 1.85.1 · recursion · app.rs:12 ×2');
});

test('possible callers are counted apart, and a floor is said with the count', () => {
    const nodes = [node({}), node({ tier: 'likely' }), node({ tier: 'possible' }), node({ symbol: null, tier: null })];
    assert.equal(summary(tree(nodes)), '2 callers (+1 possible)');
    assert.equal(summary(tree(nodes, 'an unplaced call')), 'at least 2 callers (+1 possible)');
    const named = node({ tier: 'possible', named: true });
    assert.equal(summary(tree([...nodes, named])), '2 callers (+1 possible, +1 as a value)');
    assert.equal(summary(tree([named])), '0 callers (+1 as a value)');
    assert.equal(title('callees', symbol('load')), 'Callees of load');
});

test('no callers on a floor never reads as unused', () => {
    assert.equal(emptyRow(tree([])).label, 'No callers found');
    assert.equal(emptyRow(tree([], 'an unread file')).label, 'No callers found, and the list may be short');
    const unplaced = node({ symbol: null, tier: null, note: 'an unread file' });
    const row = unplacedRow(unplaced, symbol('load'), 'an unread file');
    assert.deepEqual([row.label, row.description], ['Unplaced: 1 call named load', '? no edge, not counted']);
    assert.equal(unplacedRow(unplaced, symbol('load'), null).description, '? an unread file');
});

test('names from the source cannot become markup or links in a tooltip', () => {
    const row = callRow(node({}), symbol('[x](command:evil)'), 'callers', shorten);
    assert.doesNotMatch(row.tooltip, /(^|[^\\])\[x]/);
});
