// Writes a report of a folder, and checks one: the verdict as a page, the files that differ as problems.

import {
    DiagnosticSeverity,
    languages,
    ProgressLocation,
    Range,
    Uri,
    window,
    workspace,
    type CancellationToken,
    type Disposable,
    type DiagnosticCollection,
    type WorkspaceFolder,
} from 'vscode';
import type { Pages } from './explain';
import { report, verify, type Verdict } from './protocol';
import type { Server } from './server';

const NAME = 'surefoot-report.json';

export class Reports implements Disposable {
    private readonly problems: DiagnosticCollection = languages.createDiagnosticCollection('surefoot-verify');
    /** The report written or checked last in this session. */
    private last: Uri | undefined;

    constructor(
        private readonly server: Server,
        private readonly pages: Pages,
    ) {}

    async export(): Promise<void> {
        const folder = await pickFolder('Which folder should the report be about?');
        if (!folder || !(await this.saveDirty(folder))) {
            return;
        }
        const target = await window.showSaveDialog({
            title: `Report of ${folder.name}`,
            saveLabel: 'Export',
            defaultUri: Uri.joinPath(folder.uri, NAME),
            filters: { 'Surefoot report': ['json'] },
        });
        if (!target) {
            return;
        }
        const written = await this.working(`Surefoot: writing a report of ${folder.name}`, 'writing the report', (token) =>
            this.server.request(report, { root: folder.uri.toString(), path: target.fsPath }, token),
        );
        if (!written) {
            return;
        }
        this.last = target;
        const complete = written.isComplete ? '' : ' It is not complete: it lists what was skipped and why.';
        const action = await window.showInformationMessage(
            `Report of ${folder.name} written: ${written.entities} entities, ${written.callEdges} calls, snapshot ` +
                `${written.snapshotId.slice(0, 12)}.${complete}`,
            'Open',
            'Verify Now',
        );
        if (action === 'Open') {
            await window.showTextDocument(target);
        } else if (action === 'Verify Now') {
            await this.check(folder, target);
        }
    }

    async verify(): Promise<void> {
        const folder = await pickFolder('Which folder should the report be compared with?');
        if (!folder) {
            return;
        }
        const picked = await window.showOpenDialog({
            title: `A report of ${folder.name}`,
            openLabel: 'Verify',
            canSelectMany: false,
            defaultUri: this.last ?? Uri.joinPath(folder.uri, NAME),
            filters: { 'Surefoot report': ['json'] },
        });
        const target = picked?.[0];
        if (target && (await this.saveDirty(folder))) {
            await this.check(folder, target);
        }
    }

    private async check(folder: WorkspaceFolder, target: Uri): Promise<void> {
        this.last = target;
        const verdict = await this.working(`Surefoot: verifying a report of ${folder.name}`, 'verifying the report', (token) =>
            this.server.request(verify, { root: folder.uri.toString(), report: target.fsPath }, token),
        );
        if (!verdict) {
            return;
        }
        this.show(verdict);
        const page = await workspace.openTextDocument(this.pages.put('Verdict.txt', verdict.text));
        await window.showTextDocument(page, { preview: true });
        const count = verdict.differs.length;
        if (verdict.verified) {
            void window.showInformationMessage(`Verified: ${folder.name} is what the report says.`);
        } else {
            void window.showWarningMessage(
                count === 0
                    ? `Not verified: the verdict says why.`
                    : `Not verified: ${count === 1 ? '1 place differs' : `${count} places differ`} from the report. They are in Problems.`,
            );
        }
    }

    private show(verdict: Verdict): void {
        this.problems.clear();
        const byFile = new Map<string, string[]>();
        for (const { uri, what } of verdict.differs) {
            byFile.set(uri, [...(byFile.get(uri) ?? []), what]);
        }
        for (const [uri, whats] of byFile) {
            this.problems.set(
                Uri.parse(uri),
                whats.map((what) => ({
                    message: `Differs from the report: ${what}`,
                    range: new Range(0, 0, 0, 0),
                    severity: DiagnosticSeverity.Warning,
                    source: 'surefoot verify',
                })),
            );
        }
    }

    /** The report reads the disk. False when the user would rather not go on. */
    private async saveDirty(folder: WorkspaceFolder): Promise<boolean> {
        const dirty = workspace.textDocuments.filter(
            (document) => document.isDirty && workspace.getWorkspaceFolder(document.uri) === folder,
        );
        if (dirty.length === 0) {
            return true;
        }
        const what = dirty.length === 1 ? '1 file has unsaved changes' : `${dirty.length} files have unsaved changes`;
        const action = await window.showWarningMessage(
            `${what}, and a report is about what is on the disk.`,
            { modal: true, detail: dirty.map((document) => workspace.asRelativePath(document.uri)).join('\n') },
            'Save All',
            'Go On Without Saving',
        );
        if (action === 'Save All') {
            const saved = await Promise.all(dirty.map((document) => document.save()));
            return saved.every(Boolean);
        }
        return action !== undefined;
    }

    private async working<T>(
        title: string,
        what: string,
        operation: (token: CancellationToken) => Promise<T>,
    ): Promise<T | undefined> {
        return window.withProgress({ location: ProgressLocation.Notification, title, cancellable: true }, (_, token) =>
            this.server.attempt(what, async () => {
                try {
                    return await operation(token);
                } catch (error) {
                    if (token.isCancellationRequested) {
                        return undefined;
                    }
                    throw error;
                }
            }),
        );
    }

    dispose(): void {
        this.problems.dispose();
    }
}

/** The folder of the active editor first; without asking when there is one only. */
async function pickFolder(placeHolder: string): Promise<WorkspaceFolder | undefined> {
    const folders = (workspace.workspaceFolders ?? []).filter((folder) => folder.uri.scheme === 'file');
    if (folders.length === 0) {
        void window.showWarningMessage('Surefoot: a report is about a folder on disk, and none is open.');
        return undefined;
    }
    if (folders.length === 1) {
        return folders[0];
    }
    return window.showWorkspaceFolderPick({ placeHolder });
}
