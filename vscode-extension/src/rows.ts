// The words of the call trees: what a row says, on screen and to a screen reader. Knows nothing of VS Code.

import type { CallNode, CallTree, Direction, Evidence, Site, SymbolRef, Tier } from './protocol';

/** The word always stands beside the glyph: neither colour nor shape alone carries the tier. */
export const TIERS: Record<Tier, { glyph: string; means: string }> = {
    certain: { glyph: '●', means: 'a binding proves it' },
    likely: { glyph: '◐', means: 'a convention picked the one target' },
    possible: { glyph: '○', means: 'it may run this; counted apart' },
};

export const UNPLACED = '?';

export interface Text {
    label: string;
    description: string;
    /** Markdown. */
    tooltip: string;
    /** For a screen reader. */
    spoken: string;
}

/** Makes a document's address short; in the editor relative to the workspace. */
export type Shorten = (uri: string) => string;

export function title(direction: Direction, root: SymbolRef): string {
    return direction === 'callers' ? `Callers of ${root.name}` : `Callees of ${root.name}`;
}

export function callRow(node: CallNode, symbol: SymbolRef, direction: Direction, shorten: Shorten): Text {
    const tier = node.tier ?? 'possible';
    const { glyph, means } = TIERS[tier];
    const site = node.sites[0];
    const where = site ? place(site, shorten) : shorten(symbol.uri);
    const description = [
        `${glyph} ${tier}`,
        node.rule ?? undefined,
        node.resolver !== null && node.resolver !== 'static' ? `by ${node.resolver}` : undefined,
        node.recursion ? 'recursion' : undefined,
        node.sites.length > 1 ? `${where} ×${node.sites.length}` : where,
        node.note ?? undefined,
    ].filter((part) => part !== undefined);
    const calls = node.sites.length === 1 ? '1 call' : `${node.sites.length} calls`;
    const tooltip = [
        `**${escape(qualified(symbol))}** · ${calls}`,
        `${glyph} **${tier}**: ${means}`,
        node.rule === null ? undefined : `Rule: \`${node.rule}\``,
        `Placed by: ${node.resolver === null || node.resolver === 'static' ? 'Surefoot, from the source' : escape(node.resolver)}`,
        node.note === null ? undefined : escape(node.note),
        node.recursion ? 'Recursion: already on the path above' : undefined,
        ...node.sites.slice(0, 20).map((each) => `- ${escape(place(each, shorten))}`),
        node.sites.length > 20 ? `- and ${node.sites.length - 20} more` : undefined,
    ].filter((line) => line !== undefined);
    return {
        label: node.recursion ? `${symbol.name} ↻` : symbol.name,
        description: description.join(' · '),
        tooltip: tooltip.join('\n\n'),
        spoken: [
            `${direction === 'callers' ? 'called by' : 'calls'} ${qualified(symbol)}`,
            tier,
            node.rule === null ? undefined : `by the rule ${node.rule}`,
            node.resolver !== null && node.resolver !== 'static' ? `placed by ${node.resolver}` : undefined,
            node.recursion ? 'recursion, not expanded' : undefined,
            calls,
            site ? spokenPlace(site, shorten) : undefined,
            node.note ?? undefined,
        ]
            .filter((part) => part !== undefined)
            .join(', '),
    };
}

/** `floor` stands in a row of its own: a note that only repeats it is left out. */
export function unplacedRow(node: CallNode, root: SymbolRef, floor: string | null): Text {
    const count = node.sites.length;
    const calls = count === 1 ? '1 call' : `${count} calls`;
    const note = node.note === null || node.note === floor ? 'no edge, not counted' : node.note;
    return {
        label: `Unplaced: ${calls} named ${root.name}`,
        description: `${UNPLACED} ${note}`,
        tooltip: `${escape(note)}\n\nEach of them may call \`${root.name}\` or something else of that name. None is counted.`,
        spoken: `unplaced, ${calls} named ${root.name}, ${note}`,
    };
}

/** The server's own sentence, the last row: what stands above it is a lower bound. */
export function floorRow(text: string): Text {
    return { label: text, description: '', tooltip: escape(text), spoken: text };
}

export function emptyRow(tree: CallTree): Text {
    const none = tree.direction === 'callers' ? 'No callers found' : 'No calls found';
    const label = tree.floor === null ? none : `${none}, and the list may be short`;
    return { label, description: '', tooltip: label, spoken: label };
}

export function rootRow(tree: CallTree, shorten: Shorten): Text {
    const { root } = tree;
    const description = `${summary(tree)} · ${shorten(root.uri)}`;
    return {
        label: root.name,
        description,
        tooltip: `**${escape(qualified(root))}**\n\n${escape(place({ uri: root.uri, range: root.selectionRange }, shorten))}`,
        spoken: `${title(tree.direction, root)}, ${summary(tree)}`,
    };
}

/** `3 callers (+2 possible, +1 as a value)`: those are never counted with the others. */
export function summary(tree: CallTree): string {
    const counted = tree.nodes.filter((node) => node.symbol && (node.tier === 'certain' || node.tier === 'likely')).length;
    const beside = tree.nodes.filter((node) => node.symbol && node.tier === 'possible');
    const named = beside.filter((node) => node.named).length;
    const possible = beside.length - named;
    const word = tree.direction === 'callers' ? 'caller' : 'callee';
    const atLeast = tree.floor === null && tree.truncated === 0 ? '' : 'at least ';
    const parts = [
        ...(possible > 0 ? [`+${possible} possible`] : []),
        ...(named > 0 ? [`+${named} as a value`] : []),
    ];
    const apart = parts.length > 0 ? ` (${parts.join(', ')})` : '';
    return `${atLeast}${counted} ${counted === 1 ? word : `${word}s`}${apart}`;
}

export function evidenceLine(evidence: Evidence): string {
    const resolver = evidence.resolver === 'static' ? '' : `, placed by ${evidence.resolver}`;
    return `${TIERS[evidence.tier].glyph} ${evidence.tier} by ${evidence.rule}${resolver}`;
}

export function qualified(symbol: SymbolRef): string {
    return symbol.container ? `${symbol.container} › ${symbol.name}` : symbol.name;
}

/** Lines are counted from one, as editors show them. */
export function place(site: Site, shorten: Shorten): string {
    return `${shorten(site.uri)}:${site.range.start.line + 1}`;
}

function spokenPlace(site: Site, shorten: Shorten): string {
    return `${shorten(site.uri)} line ${site.range.start.line + 1}`;
}

/** Names come from the analysed source; none of them may turn into markup. */
export function escape(text: string): string {
    return text.replace(/[\\`*_{}[\]()#+\-.!|<>~$]/g, '\\$&');
}
