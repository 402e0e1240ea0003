// Registers Surefoot in VS Code's own call and type hierarchy, for those languages where it is wanted.

import {
    languages,
    window,
    workspace,
    type CallHierarchyItem,
    type CallHierarchyProvider,
    type CancellationToken,
    type Disposable,
    type Position,
    type TextDocument,
    type TypeHierarchyItem,
    type TypeHierarchyProvider,
} from 'vscode';
import {
    CallHierarchyIncomingCallsRequest,
    CallHierarchyOutgoingCallsRequest,
    CallHierarchyPrepareRequest,
    TypeHierarchyPrepareRequest,
    TypeHierarchySubtypesRequest,
    TypeHierarchySupertypesRequest,
    type LanguageClient,
} from 'vscode-languageclient/node';
import { LANGUAGES, languageOf, type Language } from './languages';
import { decidesProvider, type Neighbours } from './neighbours';
import type { Server } from './server';

export class Hierarchies implements Disposable {
    private readonly registered = new Map<Language, Disposable[]>();
    private readonly disposables: Disposable[];

    constructor(
        private readonly server: Server,
        private readonly neighbours: Neighbours,
    ) {
        this.disposables = [
            server.onDidChangeLife(() => this.registerAll()),
            neighbours.onDidChange(() => this.registerAll()),
            workspace.onDidChangeConfiguration((event) => {
                if (decidesProvider((section) => event.affectsConfiguration(section))) {
                    this.registerAll();
                }
            }),
            // Of several providers the one registered last is asked, and others may register at any time: where the
            // user wants ours, it is renewed when a document of the language comes to the front.
            window.onDidChangeActiveTextEditor((editor) => {
                const language = editor && languageOf(editor.document.languageId);
                if (language) {
                    this.register(language);
                }
            }),
        ];
    }

    private registerAll(): void {
        for (const language of LANGUAGES) {
            this.register(language);
        }
    }

    private register(language: Language): void {
        this.registered.get(language)?.forEach((disposable) => disposable.dispose());
        this.registered.delete(language);
        const client = this.server.running;
        const capabilities = client?.initializeResult?.capabilities;
        if (!client || !capabilities) {
            return;
        }
        const selector = language.ids.map((id) => ({ language: id, scheme: 'file' }));
        const registrations: Disposable[] = [];
        if (capabilities.callHierarchyProvider && this.neighbours.serves('callHierarchy', language)) {
            registrations.push(languages.registerCallHierarchyProvider(selector, new Calls(client)));
        }
        if (capabilities.typeHierarchyProvider && this.neighbours.serves('typeHierarchy', language)) {
            registrations.push(languages.registerTypeHierarchyProvider(selector, new Types(client)));
        }
        this.registered.set(language, registrations);
    }

    dispose(): void {
        for (const disposable of [...this.disposables, ...[...this.registered.values()].flat()]) {
            disposable.dispose();
        }
    }
}

class Calls implements CallHierarchyProvider {
    constructor(private readonly client: LanguageClient) {}

    async prepareCallHierarchy(document: TextDocument, position: Position, token: CancellationToken) {
        const params = this.client.code2ProtocolConverter.asTextDocumentPositionParams(document, position);
        const items = await this.client.sendRequest(CallHierarchyPrepareRequest.type, params, token);
        return this.client.protocol2CodeConverter.asCallHierarchyItems(items, token);
    }

    async provideCallHierarchyIncomingCalls(item: CallHierarchyItem, token: CancellationToken) {
        const params = { item: this.client.code2ProtocolConverter.asCallHierarchyItem(item) };
        const calls = await this.client.sendRequest(CallHierarchyIncomingCallsRequest.type, params, token);
        return this.client.protocol2CodeConverter.asCallHierarchyIncomingCalls(calls, token);
    }

    async provideCallHierarchyOutgoingCalls(item: CallHierarchyItem, token: CancellationToken) {
        const params = { item: this.client.code2ProtocolConverter.asCallHierarchyItem(item) };
        const calls = await this.client.sendRequest(CallHierarchyOutgoingCallsRequest.type, params, token);
        return this.client.protocol2CodeConverter.asCallHierarchyOutgoingCalls(calls, token);
    }
}

class Types implements TypeHierarchyProvider {
    constructor(private readonly client: LanguageClient) {}

    async prepareTypeHierarchy(document: TextDocument, position: Position, token: CancellationToken) {
        const params = this.client.code2ProtocolConverter.asTextDocumentPositionParams(document, position);
        const items = await this.client.sendRequest(TypeHierarchyPrepareRequest.type, params, token);
        return this.client.protocol2CodeConverter.asTypeHierarchyItems(items, token);
    }

    async provideTypeHierarchySupertypes(item: TypeHierarchyItem, token: CancellationToken) {
        const params = { item: this.client.code2ProtocolConverter.asTypeHierarchyItem(item) };
        const items = await this.client.sendRequest(TypeHierarchySupertypesRequest.type, params, token);
        return this.client.protocol2CodeConverter.asTypeHierarchyItems(items, token);
    }

    async provideTypeHierarchySubtypes(item: TypeHierarchyItem, token: CancellationToken) {
        const params = { item: this.client.code2ProtocolConverter.asTypeHierarchyItem(item) };
        const items = await this.client.sendRequest(TypeHierarchySubtypesRequest.type, params, token);
        return this.client.protocol2CodeConverter.asTypeHierarchyItems(items, token);
    }
}
