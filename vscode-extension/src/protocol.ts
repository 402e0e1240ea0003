// What the server says beyond the Language Server Protocol, as docs/protocol.md has it.

import {
    NotificationType,
    RequestType,
    type Location,
    type Position,
    type Range,
    type SymbolKind,
    type TextDocumentIdentifier,
} from 'vscode-languageclient/node';

export type Tier = 'certain' | 'likely' | 'possible';
export type Direction = 'callers' | 'callees';
export type Resolution = 'in_tree' | 'outside' | 'unresolved' | 'parameter' | 'local' | 'undetermined';

export interface SymbolRef {
    handle: string;
    name: string;
    kind: SymbolKind;
    container: string | null;
    uri: string;
    range: Range;
    selectionRange: Range;
}

export interface Site {
    uri: string;
    range: Range;
}

export interface Evidence {
    tier: Tier;
    rule: string;
    resolver: string;
    via: { role: string; uri: string; range: Range; line: string }[];
}

export interface CallNode {
    symbol: SymbolRef | null;
    tier: Tier | null;
    rule: string | null;
    resolver: string | null;
    sites: Site[];
    note: string | null;
    /** No site is a call: each names the function as a value. */
    named: boolean;
    recursion: boolean;
    children: CallNode[] | null;
}

export interface CallTree {
    root: SymbolRef;
    direction: Direction;
    floor: string | null;
    nodes: CallNode[];
    truncated: number;
}

export type Subject = { handle: string } | { textDocument: TextDocumentIdentifier; position: Position };

export const callTree = new RequestType<Subject & { direction: Direction; depth?: number; tiers?: Tier[] }, CallTree | null, void>(
    'surefoot/callTree',
);

export interface Explanation {
    title: string;
    resolution: Resolution;
    cause: string | null;
    site: Site;
    target: SymbolRef | null;
    evidence: Evidence | null;
    candidates: { symbol: SymbolRef; note: string }[];
    refused: { symbol: SymbolRef; why: string }[];
    markdown: string;
}

export const explain = new RequestType<{ textDocument: TextDocumentIdentifier; position: Position }, Explanation | null, void>(
    'surefoot/explain',
);

export interface Disagreement {
    site: Site;
    name: string;
    /** `null`: outside the folder. */
    own: SymbolRef | null;
    tier: Tier | null;
    rule: string | null;
    resolver: string;
    theirs: SymbolRef | null;
}

export const disagreements = new RequestType<null, Disagreement[], void>('surefoot/disagreements');

export interface Status {
    version: string;
    revision: number;
    state: 'indexing' | 'ready';
    roots: { uri: string; files: number; symbols: number; sites: number; skipped: number }[];
    languages: { name: string; files: number }[];
    memory: { owner: string; bytes: number }[];
    watch: 'client' | 'server' | 'off';
    text: string;
}

export const status = new RequestType<null, Status, void>('surefoot/status');

export interface ReportWritten {
    path: string;
    snapshotId: string;
    isComplete: boolean;
    entities: number;
    callEdges: number;
    /** The page for people. */
    html: string | null;
}

export const report = new RequestType<{ root: string | null; path: string; html: boolean }, ReportWritten, void>(
    'surefoot/report',
);

export interface Verdict {
    verified: boolean;
    differs: { uri: string; what: string }[];
    text: string;
}

export const verify = new RequestType<{ root: string | null; report: string }, Verdict, void>('surefoot/verify');

export interface KeptSnapshot {
    id: string;
    names: string[];
    /** In seconds since 1970. */
    savedAt: number;
    label: string | null;
    revision: string | null;
    isComplete: boolean;
    files: number;
}

export const snapshots = new RequestType<{ root: string | null }, { snapshots: KeptSnapshot[] }, void>('surefoot/snapshots');

export const saveSnapshot = new RequestType<
    { root: string | null; name: string | null },
    { id: string; reused: boolean; isComplete: boolean },
    void
>('surefoot/saveSnapshot');

export interface Comparison {
    differs: { uri: string; what: string }[];
    text: string;
}

export const compare = new RequestType<{ root: string | null; snapshot: string | null }, Comparison, void>('surefoot/compare');

export const changed = new NotificationType<{ revision: number; uris: string[] }>('surefoot/changed');

export interface ServerStatus {
    health: 'ok' | 'warning' | 'error';
    quiescent: boolean;
    message?: string | null;
}

export const serverStatus = new NotificationType<ServerStatus>('experimental/serverStatus');

export interface Question {
    textDocument: TextDocumentIdentifier;
    position: Position;
    kind: 'definition' | 'implementation';
    timeoutMs: number;
}

export interface Answers {
    answers: { server: { name: string; version: string }; via: string | null; locations: Location[] }[];
    unavailable: { server: string; why: string }[];
}

export const ask = new RequestType<Question, Answers, void>('surefoot/ask');
