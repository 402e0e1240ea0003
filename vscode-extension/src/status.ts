// What the server is doing: an item in the status bar, a menu behind it, and the long form as a page.

import {
    commands,
    languages,
    LanguageStatusSeverity,
    QuickPickItemKind,
    StatusBarAlignment,
    ThemeColor,
    ThemeIcon,
    window,
    workspace,
    type Disposable,
    type QuickPickItem,
} from 'vscode';
import type { Pages } from './explain';
import { LANGUAGES, LANGUAGE_IDS } from './languages';
import type { Neighbours } from './neighbours';
import { serverStatus, status, type ServerStatus, type Status } from './protocol';
import type { Part, Server } from './server';

interface Look {
    icon: string;
    text: string;
    severity: LanguageStatusSeverity;
    busy: boolean;
}

type Item = QuickPickItem & { run?: () => unknown };

export class StatusItem implements Disposable {
    private readonly bar = window.createStatusBarItem('surefoot.status', StatusBarAlignment.Left, 10);
    private readonly language = languages.createLanguageStatusItem(
        'surefoot.status',
        LANGUAGE_IDS.map((language) => ({ language })),
    );
    private readonly disposables: Disposable[] = [this.bar, this.language];
    private said: ServerStatus | undefined;

    constructor(
        private readonly server: Server,
        private readonly neighbours: Neighbours,
        private readonly pages: Pages,
    ) {
        this.bar.name = 'Surefoot';
        this.bar.command = 'surefoot.showStatus';
        this.language.name = 'Surefoot';
        this.language.command = { command: 'surefoot.showStatus', title: 'Menu' };
        this.disposables.push(
            server.onDidChangeLife(({ state }) => {
                if (state !== 'running') {
                    this.said = undefined;
                }
                this.draw();
            }),
        );
        this.draw();
        this.bar.show();
    }

    readonly part: Part = {
        attach: (client) => {
            client.onNotification(serverStatus, (said) => {
                this.said = said;
                this.draw();
            });
        },
    };

    private look(): Look {
        const { life } = this.server;
        if (life.state === 'stopped') {
            const text = life.why ?? 'The server is not running.';
            return { icon: 'error', text, severity: LanguageStatusSeverity.Error, busy: false };
        }
        if (life.state === 'starting') {
            return { icon: 'sync~spin', text: 'The server is starting.', severity: LanguageStatusSeverity.Information, busy: true };
        }
        const said = this.said;
        const message = life.mismatch ?? said?.message ?? undefined;
        if (said?.health === 'error') {
            return { icon: 'error', text: message ?? 'Something is wrong.', severity: LanguageStatusSeverity.Error, busy: false };
        }
        if (said?.health === 'warning' || life.mismatch !== undefined) {
            return { icon: 'warning', text: message ?? 'Not all is well.', severity: LanguageStatusSeverity.Warning, busy: false };
        }
        if (said && !said.quiescent) {
            return { icon: 'sync~spin', text: message ?? 'Reading the workspace.', severity: LanguageStatusSeverity.Information, busy: true };
        }
        return { icon: 'check', text: message ?? 'Ready.', severity: LanguageStatusSeverity.Information, busy: false };
    }

    private draw(): void {
        const { icon, text, severity, busy } = this.look();
        this.bar.text = `$(${icon}) Surefoot`;
        this.bar.tooltip = `Surefoot: ${text}`;
        this.bar.accessibilityInformation = { label: `Surefoot: ${text}`, role: 'button' };
        this.bar.backgroundColor =
            severity === LanguageStatusSeverity.Error ? new ThemeColor('statusBarItem.errorBackground') : undefined;
        this.language.text = `Surefoot ${this.server.life.state === 'running' ? (this.server.life.version ?? '') : ''}`.trim();
        this.language.detail = text;
        this.language.severity = severity;
        this.language.busy = busy;
    }

    async showMenu(): Promise<void> {
        const look = this.look();
        const now = this.server.running
            ? await this.server.attempt('asking for the status', () => this.server.request(status, null))
            : undefined;
        const items: Item[] = [
            { label: 'server', kind: QuickPickItemKind.Separator },
            { label: look.text, iconPath: new ThemeIcon(look.icon.replace('~spin', '')), run: () => this.server.log.show() },
            ...(now ? this.facts(now) : []),
            { label: 'call hierarchy of VS Code', kind: QuickPickItemKind.Separator },
            ...LANGUAGES.map((language) => ({
                label: `${language.name}: ${this.neighbours.answerer(language)}`,
                iconPath: new ThemeIcon('type-hierarchy'),
                run: () => this.neighbours.change(),
            })),
            { label: 'do', kind: QuickPickItemKind.Separator },
            action('Restart Server', 'debug-restart', 'surefoot.restartServer'),
            action('Export Verifiable Report', 'export', 'surefoot.exportReport'),
            action('Verify Report', 'verified', 'surefoot.verifyReport'),
            { label: 'Show Log', iconPath: new ThemeIcon('output'), run: () => this.server.log.show() },
            {
                label: 'Open Settings',
                iconPath: new ThemeIcon('settings-gear'),
                run: () => commands.executeCommand('workbench.action.openSettings', '@ext:surefoot.surefoot'),
            },
        ];
        const picked = await window.showQuickPick(items, { title: 'Surefoot', matchOnDescription: true });
        await picked?.run?.();
    }

    private facts(now: Status): Item[] {
        const page = () => this.showPage(now);
        const files = now.roots.reduce((sum, root) => sum + root.files, 0);
        const symbols = now.roots.reduce((sum, root) => sum + root.symbols, 0);
        const skipped = now.roots.reduce((sum, root) => sum + root.skipped, 0);
        const bytes = now.memory.reduce((sum, { bytes }) => sum + bytes, 0);
        const watch = { client: 'VS Code', server: 'the server', off: 'nobody: changes outside the editor go unseen' }[now.watch];
        return [
            {
                label: `${files} files, ${symbols} symbols`,
                description: now.state === 'indexing' ? 'still reading' : now.languages.map(({ name, files }) => `${name} ${files}`).join(', '),
                iconPath: new ThemeIcon('files'),
                run: page,
            },
            { label: `${skipped} files skipped`, description: 'with their reasons', iconPath: new ThemeIcon('debug-step-over'), run: page },
            { label: `${Math.round(bytes / 1e6)} MB`, description: 'memory, by owner', iconPath: new ThemeIcon('chip'), run: page },
            { label: `Files watched by ${watch}`, iconPath: new ThemeIcon('eye'), run: page },
        ];
    }

    private async showPage(now: Status): Promise<void> {
        const page = await workspace.openTextDocument(this.pages.put('Status.txt', now.text));
        await window.showTextDocument(page, { preview: true });
    }

    dispose(): void {
        for (const disposable of this.disposables) {
            disposable.dispose();
        }
    }
}

function action(label: string, icon: string, command: string): Item {
    return { label, iconPath: new ThemeIcon(icon), run: () => commands.executeCommand(command) };
}
