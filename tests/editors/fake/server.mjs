// A scripted language server for tests of the editors' plugins: says fixed things about ../workspace, so that rows, columns
// and answers can be tested which a real server gives only now and then.
//
//   node server.mjs surefoot    plays Surefoot, with the shapes of docs/protocol.md
//   node server.mjs neighbour   plays another server that knows one definition
//
// FAKE_ENCODING=utf-8|utf-16 chooses the position encoding, FAKE_DELAY=ms makes the neighbour slow, FAKE_VERSION sets the
// version it claims, FAKE_DEFINITION={"from": [file, line, text], "to": [file, line, text]} the one definition it knows.
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL, fileURLToPath } from 'node:url';
import { join } from 'node:path';

const [role] = process.argv.slice(2).filter((argument) => argument !== 'lsp');
const encoding = process.env.FAKE_ENCODING ?? 'utf-16';
const delay = Number(process.env.FAKE_DELAY ?? 0);
const version = process.env.FAKE_VERSION ?? (role === 'neighbour' ? '9.9' : '0.1.0');
let root = '';
let revision = 1;
let generation = 0;
const waiting = new Map();
/** Open documents: their texts come whole. */
const open = new Map();
/** A neighbour that says it is still reading and finds nothing. */
let busy = false;

// Transport

let input = Buffer.alloc(0);
process.stdin.on('data', (chunk) => {
    input = Buffer.concat([input, chunk]);
    for (;;) {
        const end = input.indexOf('\r\n\r\n');
        if (end < 0) return;
        const length = Number(/Content-Length: (\d+)/i.exec(input.toString('ascii', 0, end))[1]);
        if (input.length < end + 4 + length) return;
        const message = JSON.parse(input.toString('utf8', end + 4, end + 4 + length));
        input = input.subarray(end + 4 + length);
        receive(message);
    }
});
process.stdin.on('end', () => process.exit(0));

function send(message) {
    const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }));
    process.stdout.write(`Content-Length: ${body.length}\r\n\r\n`);
    process.stdout.write(body);
}

let nextId = 1;
function request(method, params) {
    const id = `fake-${nextId++}`;
    send({ id, method, params });
    return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
}

async function receive({ id, method, params, result, error }) {
    if (method === undefined) {
        const { resolve, reject } = waiting.get(id) ?? {};
        waiting.delete(id);
        return error ? reject?.(new Error(error.message)) : resolve?.(result);
    }
    if (method === 'exit') process.exit(0);
    const handler = (role === 'neighbour' ? NEIGHBOUR : SUREFOOT)[method];
    if (id === undefined) return handler?.(params);
    try {
        if (!handler) throw Object.assign(new Error(`no ${method} here`), { code: -32601 });
        send({ id, result: (await handler(params)) ?? null });
    } catch (error) {
        send({ id, error: { code: error.code ?? -32603, message: error.message } });
    }
}

// Places: found in the files by their text, counted in the agreed encoding.

const uri = (file) => pathToFileURL(join(root, file)).href;
const lines = (file) => readFileSync(join(root, file), 'utf8').split('\n');
const units = (text) => (encoding === 'utf-8' ? Buffer.byteLength(text) : text.length);

function range(file, line, needle, nth = 1) {
    const text = lines(file)[line - 1];
    let at = -1;
    for (let i = 0; i < nth; i++) at = text.indexOf(needle, at + 1);
    if (at < 0) throw new Error(`${file}:${line} has no ${needle}`);
    const start = units(text.slice(0, at));
    return { start: { line: line - 1, character: start }, end: { line: line - 1, character: start + units(needle) } };
}

const site = (file, line, needle, nth) => ({ uri: uri(file), range: range(file, line, needle, nth) });

function symbol(name, file, line, container) {
    const at = range(file, line, name);
    return { handle: `h${generation}:${name}`, name, kind: 12, container, uri: uri(file), range: at, selectionRange: at };
}

const symbols = {
    load: () => symbol('load', 'src/store.rs', 6, 'store'),
    countdown: () => symbol('countdown', 'src/store.rs', 20, 'store'),
    buy: () => symbol('buy', 'src/cart.rs', 4, 'cart'),
    peek: () => symbol('peek', 'src/cart.rs', 9, 'cart'),
    checkout: () => symbol('checkout', 'src/cart.rs', 13, 'cart'),
    fill: () => symbol('fill', 'web/src/page.tsx', 3, 'page'),
};

const node = (who, tier, rule, sites, more = {}) => ({
    symbol: symbols[who](), tier, rule, resolver: 'static', sites, note: null, recursion: false, children: null, ...more,
});

const callers = {
    load: () => ({
        floor: 'This list may be short: 1 call of `load` is not placed.',
        nodes: [
            node('buy', 'certain', 'use-import', [site('src/cart.rs', 5, 'load')]),
            node('peek', 'likely', 'use-import', [site('src/cart.rs', 10, 'fetch'), site('src/cart.rs', 10, 'fetch', 2)], {
                resolver: 'rust-analyzer 1.85.1',
            }),
            node('checkout', 'possible', 'value', [site('src/cart.rs', 14, 'buy')], { note: 'passed as a value' }),
            {
                symbol: null, tier: null, rule: null, resolver: null, recursion: false, children: [],
                note: 'no-receiver-type', sites: [site('web/src/page.tsx', 8, 'add')],
            },
        ],
    }),
    buy: () => ({ floor: null, nodes: [node('checkout', 'certain', 'same-module', [site('src/cart.rs', 14, 'buy')])] }),
    peek: () => ({ floor: null, nodes: [node('checkout', 'certain', 'same-module', [site('src/cart.rs', 14, 'peek')])] }),
    checkout: () => ({ floor: null, nodes: [] }),
    countdown: () => ({
        floor: null,
        nodes: [node('countdown', 'certain', 'same-module', [site('src/store.rs', 21, 'countdown')])],
    }),
};

function named({ handle, textDocument, position }) {
    if (handle) return handle.startsWith(`h${generation}:`) ? handle.slice(handle.indexOf(':') + 1) : undefined;
    return Object.keys(symbols).find((name) => {
        const { uri: at, range: { start, end } } = symbols[name]();
        return at === textDocument.uri && start.line === position.line && start.character <= position.character && position.character <= end.character;
    });
}

function tree({ direction = 'callers', depth = 1, ...subject }) {
    const name = named(subject);
    if (!name) return null;
    const make = (of, left) => {
        const { floor, nodes } = direction === 'callers' ? callers[of]?.() ?? { floor: null, nodes: [] } : { floor: null, nodes: [] };
        const deep = nodes.map((each) =>
            left > 1 && each.symbol ? { ...each, children: make(each.symbol.name, left - 1).nodes } : each,
        );
        return { floor, nodes: deep };
    };
    return { root: symbols[name](), direction, truncated: 0, ...make(name, depth) };
}

const common = {
    initialized() {},
    shutdown: () => null,
    'textDocument/didOpen': ({ textDocument: { uri, text } }) => open.set(uri, text),
    'textDocument/didChange': ({ textDocument, contentChanges }) => open.set(textDocument.uri, contentChanges.at(-1).text),
    'textDocument/didClose'() {},
    'textDocument/didSave'() {},
};

let lensCalls = 0;
const SUREFOOT = {
    ...common,
    initialize(params) {
        root = fileURLToPath(params.rootUri);
        return {
            serverInfo: { name: 'surefoot', version },
            capabilities: {
                positionEncoding: encoding,
                textDocumentSync: 1,
                codeLensProvider: { resolveProvider: false },
                callHierarchyProvider: true,
                executeCommandProvider: { commands: ['surefoot.callers', 'surefoot.callees'] },
            },
        };
    },
    'textDocument/codeLens'({ textDocument }) {
        lensCalls += 1;
        return Object.keys(symbols).map((name) => symbols[name]()).filter((each) => each.uri === textDocument.uri).map((each) => ({
            range: each.selectionRange,
            command: {
                title: `cyclomatic 1 · ${callers[each.name]?.().nodes.length ?? 0} callers · rev ${revision}`,
                command: 'surefoot.callers',
                arguments: [{ handle: each.handle }],
            },
        }));
    },
    'textDocument/prepareCallHierarchy': (params) => {
        const name = named(params);
        return name ? [{ ...symbols[name](), detail: 'surefoot', data: null }] : null;
    },
    'callHierarchy/incomingCalls': () => [],
    'workspace/executeCommand': ({ command, arguments: [subject] }) => tree({ ...subject, direction: command.replace('surefoot.', '') }),
    'surefoot/callTree': tree,
    'surefoot/explain': ({ textDocument, position }) =>
        textDocument.uri !== uri('src/cart.rs') || position.line !== 4
            ? null
            : {
                  title: 'load calls store › load',
                  resolution: 'in_tree', cause: null,
                  site: site('src/cart.rs', 5, 'load'),
                  target: symbols.load(),
                  evidence: {
                      tier: 'certain', rule: 'use-import', resolver: 'static',
                      via: [{ role: 'import', ...site('src/cart.rs', 1, 'load'), line: lines('src/cart.rs')[0] }],
                  },
                  candidates: [],
                  refused: [{ symbol: symbols.peek(), why: 'another name' }],
                  markdown: '**load** calls `store::load`\n\ncertain by `use-import`',
              },
    'surefoot/status': () => ({
        version, revision, state: 'ready',
        roots: [{ uri: uri(''), files: 5, symbols: 12, sites: 10, skipped: 0 }],
        languages: [{ name: 'Rust', files: 3 }, { name: 'TypeScript', files: 2 }],
        memory: [{ owner: 'facts', bytes: 1000000 }], queues: [], watch: 'client', neighbours: [], text: 'Surefoot: all is well\n5 files',
    }),
    'surefoot/report'({ path }) {
        writeFileSync(path, '{}');
        return { path, snapshotId: 'abcdef0123456789', isComplete: true, entities: 12, callEdges: 7, html: null };
    },
    'surefoot/snapshots': () => ({
        snapshots: [
            { id: 'abcdef0123456789', names: ['base'], savedAt: 1, label: null, revision: null, isComplete: true, files: 5 },
        ],
    }),
    'surefoot/saveSnapshot': () => ({ id: 'abcdef0123456789', reused: false, isComplete: true }),
    'surefoot/compare': ({ snapshot }) => ({
        diff: {},
        differs: [{ uri: uri('src/store.rs'), what: 'changed since the snapshot' }],
        text: `${snapshot} and now\nFiles changed`,
    }),
    'surefoot/verify': () => ({
        verified: false, verdict: {}, differs: [{ uri: uri('src/store.rs'), what: 'its digest' }], text: 'not verified\nsrc/store.rs: its digest',
    }),
    // For tests only: what the plugin answers to a question, what it was sent, a change, and a session that forgets its handles.
    'fake/ask': (params) => request('surefoot/ask', params),
    'fake/lensCalls': () => lensCalls,
    'fake/change'({ uris, forget }) {
        revision += 1;
        generation += forget ? 1 : 0;
        send({ method: 'surefoot/changed', params: { revision, uris } });
        return revision;
    },
    'fake/crash': () => process.exit(3),
};

const NEIGHBOUR = {
    ...common,
    initialize(params) {
        root = fileURLToPath(params.rootUri);
        return {
            serverInfo: { name: 'neighbour', version },
            capabilities: { positionEncoding: encoding, textDocumentSync: 1, definitionProvider: true, callHierarchyProvider: true },
        };
    },
    async 'textDocument/definition'({ textDocument, position }) {
        if (delay > 0) await new Promise((late) => setTimeout(late, delay));
        const known = JSON.parse(process.env.FAKE_DEFINITION ?? '{"from": ["src/cart.rs", 5, "load"], "to": ["src/cart.rs", 5, "item"]}');
        const [file, , text] = known.from;
        const line = open.get(textDocument.uri)?.split('\n')[position.line] ?? '';
        const rest = encoding === 'utf-8' ? Buffer.from(line).subarray(position.character).toString() : line.slice(position.character);
        if (busy) return null;
        return textDocument.uri === uri(file) && rest.startsWith(text) ? site(...known.to) : null;
    },
    'textDocument/prepareCallHierarchy': () => null,
    // For tests only.
    async 'fake/busy'({ value }) {
        if (value) await request('window/workDoneProgress/create', { token: 'reading' });
        busy = value;
        send({ method: '$/progress', params: { token: 'reading', value: { kind: value ? 'begin' : 'end', title: 'Reading crates' } } });
        return null;
    },
};
