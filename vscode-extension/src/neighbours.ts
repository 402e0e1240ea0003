// Decides for each language whether Surefoot answers what another extension answers too, and remembers the user's word.

import { commands, EventEmitter, extensions, window, type Disposable, type ExtensionContext, type TextDocument } from 'vscode';
import type { Middleware } from 'vscode-languageclient/node';
import { LANGUAGES, languageOf, neighbours, type Language } from './languages';
import { provider, SHARED, type Shared } from './settings';

type Choice = 'surefoot' | 'other';

export class Neighbours implements Disposable {
    private readonly changed = new EventEmitter<void>();
    private readonly disposables: Disposable[];
    /** Languages asked about in this session, also those whose question was closed without an answer. */
    private readonly asked = new Set<string>();
    readonly onDidChange = this.changed.event;

    constructor(private readonly context: ExtensionContext) {
        this.disposables = [this.changed, extensions.onDidChange(() => this.changed.fire())];
    }

    /** Whether Surefoot serves this feature for this language. */
    serves(feature: Shared, language: Language): boolean {
        switch (provider(feature)) {
            case 'always':
                return true;
            case 'never':
                return false;
            case 'auto':
                if (feature === 'callHierarchy' || feature === 'typeHierarchy') {
                    const choice = this.choice(language);
                    if (choice) {
                        return choice === 'surefoot';
                    }
                }
                return neighbours(language).length === 0;
        }
    }

    /** Who answers VS Code's own call hierarchy panel, for the status menu. */
    answerer(language: Language): string {
        const others = neighbours(language).map((neighbour) => neighbour.name);
        if (this.serves('callHierarchy', language)) {
            return others.length > 0 ? `Surefoot (not ${others.join(', ')})` : 'Surefoot';
        }
        return others.length > 0 ? others.join(' or ') : 'nobody: surefoot.callHierarchy.provider is never';
    }

    /** Answers nothing where `auto` or `never` leaves a merged feature to others. */
    readonly middleware: Middleware = {
        provideDocumentSymbols: (document, token, next) =>
            this.for('documentSymbols', document) ? next(document, token) : null,
        provideReferences: (document, position, options, token, next) =>
            this.for('references', document) ? next(document, position, options, token) : null,
        provideWorkspaceSymbols: (query, token, next) =>
            // One answer for all languages: served when there is one that nobody else serves.
            LANGUAGES.some((language) => this.serves('workspaceSymbols', language)) ? next(query, token) : null,
    };

    for(feature: Shared, document: TextDocument): boolean {
        const language = languageOf(document.languageId);
        return language !== undefined && this.serves(feature, language);
    }

    /** Asks, once in the life of a language, whom the built-in panel should show. */
    async offer(languageId: string): Promise<void> {
        const language = languageOf(languageId);
        if (
            !language ||
            provider('callHierarchy') !== 'auto' ||
            this.asked.has(language.name) ||
            this.choice(language) !== undefined
        ) {
            return;
        }
        const others = neighbours(language).map((neighbour) => neighbour.name);
        if (others.length === 0) {
            return;
        }
        this.asked.add(language.name);
        const other = others.join(' or ');
        const answer = await window.showInformationMessage(
            `For ${language.name}, VS Code's own Call Hierarchy is answered by ${other}: it shows one provider only. ` +
                `Surefoot's Callers and Callees views work either way. Who should answer Call Hierarchy?`,
            other,
            'Surefoot',
        );
        if (answer !== undefined) {
            await this.remember(language, answer === 'Surefoot' ? 'surefoot' : 'other');
        }
    }

    /** The same question from the status menu, with the word given so far. */
    async change(): Promise<void> {
        const picked = await window.showQuickPick(
            LANGUAGES.map((language) => ({ label: language.name, description: this.answerer(language), language })),
            { title: "Who answers VS Code's own Call Hierarchy?", placeHolder: 'A language' },
        );
        if (!picked) {
            return;
        }
        if (provider('callHierarchy') !== 'auto') {
            await commands.executeCommand('workbench.action.openSettings', 'surefoot.callHierarchy.provider');
            return;
        }
        const others = neighbours(picked.language).map((neighbour) => neighbour.name);
        const choices: { label: string; description: string; choice: Choice | undefined }[] = [
            { label: 'Surefoot', description: 'with tiers and rules', choice: 'surefoot' },
            { label: others.join(' or ') || 'Another extension', description: '', choice: 'other' },
            { label: 'Automatic', description: 'Surefoot where no other extension serves the language', choice: undefined },
        ];
        const chosen = await window.showQuickPick(choices, { title: `Call Hierarchy for ${picked.language.name}` });
        if (chosen) {
            await this.remember(picked.language, chosen.choice);
        }
    }

    private choice(language: Language): Choice | undefined {
        // Kept on this machine and not synchronised: what is installed differs from one to the next.
        return this.context.globalState.get<Choice>(`callHierarchy.${language.name}`);
    }

    private async remember(language: Language, choice: Choice | undefined): Promise<void> {
        await this.context.globalState.update(`callHierarchy.${language.name}`, choice);
        this.changed.fire();
    }

    dispose(): void {
        for (const disposable of this.disposables) {
            disposable.dispose();
        }
    }
}

/** A setting that decides who serves something. */
export function decidesProvider(affects: (section: string) => boolean): boolean {
    return SHARED.some((feature) => affects(`surefoot.${feature}.provider`));
}
