// Registers Surefoot in VS Code's own call and type hierarchy, for those languages where it is wanted.

import {
    languages,
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
import { LANGUAGES, neighbours, type Language } from './languages';
import { decidesProvider, type Neighbours } from './neighbours';
import type { Server } from './server';

export class Hierarchies implements Disposable {
    private readonly registered = new Map<Language, Disposable[]>();
    private readonly disposables: Disposable[];
    /** Who answers, as the log has it. */
    private readonly said = new Map<Language, string>();

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
        // Of several providers VS Code asks the one registered last, and others register whenever they like. Where the
        // user wants ours beside another, `exclusive` says so; no public type has it, and a VS Code that does not know
        // it goes back to the order.
        const exclusive = neighbours(language).length > 0;
        const selector = language.ids.map((id) => ({ language: id, scheme: 'file', exclusive }));
        const registrations: Disposable[] = [];
        if (capabilities.callHierarchyProvider && this.neighbours.serves('callHierarchy', language)) {
            registrations.push(languages.registerCallHierarchyProvider(selector, new Calls(client)));
        }
        if (capabilities.typeHierarchyProvider && this.neighbours.serves('typeHierarchy', language)) {
            registrations.push(languages.registerTypeHierarchyProvider(selector, new Types(client)));
        }
        this.registered.set(language, registrations);
        const answerer = this.neighbours.answerer(language);
        if (this.said.get(language) !== answerer) {
            this.said.set(language, answerer);
            this.server.log.info(`call hierarchy of ${language.name}: ${answerer}`);
        }
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
