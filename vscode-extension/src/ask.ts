// Answers the server's questions about calls that the source alone cannot place, by asking the other extensions.

import {
    CancellationTokenSource,
    commands,
    Location,
    Position,
    Uri,
    workspace,
    type LocationLink,
    type TextDocument,
} from 'vscode';
import {
    DefinitionRequest,
    ImplementationRequest,
    type LanguageClient,
    type Location as WireLocation,
    type Middleware,
} from 'vscode-languageclient/node';
import { languageOf, neighbours, type Neighbour } from './languages';
import type { Neighbours } from './neighbours';
import { ask, type Answers, type Question } from './protocol';
import type { Part } from './server';

export function askPart(policy: Neighbours): Part {
    /** Places somebody is being asked about: our own definitions would come back as another's. */
    const asking = new Map<string, number>();

    const middleware: Middleware = {
        provideDefinition: (document, position, token, next) =>
            asking.has(key(document.uri, position)) || !policy.for('definition', document)
                ? null
                : next(document, position, token),
    };
    return {
        middleware,
        attach: (client) => {
            client.onRequest(ask, async (question) => {
                const uri = client.protocol2CodeConverter.asUri(question.textDocument.uri);
                const position = client.protocol2CodeConverter.asPosition(question.position);
                const place = key(uri, position);
                asking.set(place, (asking.get(place) ?? 0) + 1);
                try {
                    return await answer(client, uri, position, question);
                } finally {
                    const left = (asking.get(place) ?? 1) - 1;
                    if (left > 0) {
                        asking.set(place, left);
                    } else {
                        asking.delete(place);
                    }
                }
            });
        },
    };
}

async function answer(client: LanguageClient, uri: Uri, position: Position, question: Question): Promise<Answers> {
    let document: TextDocument;
    try {
        document = await workspace.openTextDocument(uri);
    } catch (error) {
        return { answers: [], unavailable: [{ server: 'VS Code', why: words(error) }] };
    }
    const language = languageOf(document.languageId);
    const others = language ? neighbours(language).filter((neighbour) => neighbour.active) : [];
    const answers: Answers = { answers: [], unavailable: [] };

    // An extension that shows us its client can be asked by itself, and then the answer has a name.
    const named = others.flatMap((other) => {
        const theirs = exportedClient(other);
        return theirs ? [{ other, theirs }] : [];
    });
    await Promise.all(
        named.map(async ({ other, theirs }) => {
            const server = {
                name: theirs.initializeResult?.serverInfo?.name ?? other.name,
                version: theirs.initializeResult?.serverInfo?.version ?? other.version,
            };
            try {
                const type = question.kind === 'definition' ? DefinitionRequest.type : ImplementationRequest.type;
                const result: unknown = await within(question.timeoutMs, (token) =>
                    theirs.sendRequest(type.method, theirs.code2ProtocolConverter.asTextDocumentPositionParams(document, position), token),
                );
                answers.answers.push({ server, via: null, locations: wireLocations(result) });
            } catch (error) {
                answers.unavailable.push({ server: server.name, why: words(error) });
            }
        }),
    );
    if (answers.answers.length > 0) {
        return answers;
    }

    // VS Code merges what its providers say and names none of them: we name those that could have said it.
    const could = others.filter((other) => !named.some((each) => each.other === other));
    const server = {
        name: could.map((other) => other.id).join(' or ') || 'an extension',
        version: could.map((other) => other.version).join(' or '),
    };
    try {
        const command =
            question.kind === 'definition' ? 'vscode.executeDefinitionProvider' : 'vscode.executeImplementationProvider';
        const found = await within(question.timeoutMs, () =>
            Promise.resolve(commands.executeCommand<(Location | LocationLink)[] | undefined>(command, uri, position)),
        );
        const locations = (found ?? []).map((each) => {
            const at = 'targetUri' in each ? { uri: each.targetUri, range: each.targetSelectionRange ?? each.targetRange } : each;
            return {
                uri: client.code2ProtocolConverter.asUri(at.uri),
                range: client.code2ProtocolConverter.asRange(at.range),
            };
        });
        if (could.length > 0 || locations.length > 0) {
            answers.answers.push({ server, via: 'VS Code', locations });
        } else if (answers.unavailable.length === 0) {
            // Nobody answered, which is not the same as somebody who found nothing.
            answers.unavailable.push({ server: 'VS Code', why: `no active extension gives definitions for ${document.languageId}` });
        }
    } catch (error) {
        answers.unavailable.push({ server: server.name, why: words(error) });
    }
    return answers;
}

type Exported = Pick<LanguageClient, 'sendRequest' | 'initializeResult' | 'code2ProtocolConverter'>;

function exportedClient(neighbour: Neighbour): Exported | undefined {
    const client = (neighbour.exports as { client?: Partial<Exported> } | undefined)?.client;
    return typeof client?.sendRequest === 'function' && client.initializeResult && client.code2ProtocolConverter
        ? (client as Exported)
        : undefined;
}

/** A definition is a location, several, links, or nothing. */
function wireLocations(result: unknown): WireLocation[] {
    const all = result === null || result === undefined ? [] : Array.isArray(result) ? result : [result];
    return all.flatMap((each: Record<string, unknown>) => {
        if ('targetUri' in each) {
            return [{ uri: each['targetUri'], range: each['targetSelectionRange'] ?? each['targetRange'] } as WireLocation];
        }
        return 'uri' in each && 'range' in each ? [{ uri: each['uri'], range: each['range'] } as WireLocation] : [];
    });
}

async function within<T>(ms: number, operation: (token: CancellationTokenSource['token']) => Promise<T>): Promise<T> {
    const source = new CancellationTokenSource();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => {
            source.cancel();
            reject(new Error(`no answer within ${ms} ms`));
        }, ms);
    });
    try {
        return await Promise.race([operation(source.token), late]);
    } finally {
        clearTimeout(timer);
        source.dispose();
    }
}

function words(error: unknown): string {
    return error instanceof Error ? error.message : String(error);
}

function key(uri: Uri, position: Position): string {
    return `${uri.toString()}#${position.line}:${position.character}`;
}
