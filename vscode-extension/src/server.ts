// Starts, stops and restarts the server, and is the one way to ask it something.

import {
    commands,
    EventEmitter,
    window,
    workspace,
    type CancellationToken,
    type Disposable,
    type ExtensionContext,
    type LogOutputChannel,
} from 'vscode';
import {
    DidChangeConfigurationNotification,
    LanguageClient,
    RevealOutputChannelOn,
    State,
    type DynamicFeature,
    type Middleware,
    type RequestType,
    WorkDoneProgress,
    type StaticFeature,
} from 'vscode-languageclient/node';
import { findServer } from './find';
import { LANGUAGE_IDS } from './languages';
import { QueueOfOne } from './queueOfOne';
import { forServer } from './settings';
import { traceChannel } from './trace';
import { versionsDiffer } from './version';

export type Life =
    | { state: 'stopped'; why: string | undefined }
    | { state: 'starting' }
    | { state: 'running'; path: string; version: string | undefined; mismatch: string | undefined };

/** What other parts add to every client that is made. */
export interface Part {
    middleware?: Middleware;
    /** Called before the client starts: handlers registered here belong to this client. */
    attach?(client: LanguageClient): void;
}

/** Thrown when there is no server to ask. */
export class NotRunning extends Error {}

/** How long a request waits for a server that is starting. */
const START_MS = 15_000;

const HIERARCHIES = ['textDocument/prepareCallHierarchy', 'textDocument/prepareTypeHierarchy'];

class Client extends LanguageClient {
    /** VS Code asks only the last registered provider of a hierarchy: hierarchy.ts registers ours where it is wanted. */
    override registerFeature(feature: StaticFeature | DynamicFeature<unknown>): void {
        if ('registrationType' in feature && HIERARCHIES.includes(feature.registrationType.method)) {
            return;
        }
        super.registerFeature(feature);
    }
}

export class Server implements Disposable {
    private client: Client | undefined;
    /** Requests that told how far they were: a token for each. */
    private told = 0;
    private current: Life = { state: 'stopped', why: undefined };
    private readonly parts: Part[] = [];
    private readonly disposables: Disposable[] = [];
    private readonly lifeChanged = new EventEmitter<Life>();
    private readonly queue = new QueueOfOne(() => this.replace());
    readonly onDidChangeLife = this.lifeChanged.event;

    constructor(
        private readonly context: ExtensionContext,
        readonly log: LogOutputChannel,
    ) {
        this.disposables.push(
            this.lifeChanged,
            workspace.onDidChangeConfiguration((event) => {
                if (event.affectsConfiguration('surefoot.server')) {
                    void this.restart();
                } else if (event.affectsConfiguration('surefoot')) {
                    this.sendSettings();
                }
            }),
            // From now on it may ask the neighbours.
            workspace.onDidGrantWorkspaceTrust(() => void this.restart()),
        );
    }

    add(part: Part): void {
        this.parts.push(part);
    }

    get life(): Life {
        return this.current;
    }

    get running(): LanguageClient | undefined {
        return this.client?.state === State.Running ? this.client : undefined;
    }

    /** The extension's own version. */
    get version(): string {
        return (this.context.extension.packageJSON as { version: string }).version;
    }

    /** Starts the server, or stops it and starts it anew. Calls made meanwhile end in one more start. */
    restart(): Promise<void> {
        return this.queue.request();
    }

    async request<P, R>(type: RequestType<P, R, void>, params: P, token?: CancellationToken): Promise<R> {
        const client = this.running ?? (await this.soon());
        if (!client) {
            throw new NotRunning('The Surefoot server is not running.');
        }
        // By name, and without what is not there: the library would wrap a null or an absent token into a list.
        const method = type.method;
        if (params === null) {
            return token ? client.sendRequest<R>(method, token) : client.sendRequest<R>(method);
        }
        return token ? client.sendRequest<R>(method, params, token) : client.sendRequest<R>(method, params);
    }

    /** A request that takes long: the server tells how far it is, in percent. */
    async long<P extends object, R>(
        type: RequestType<P, R, void>,
        params: P,
        token: CancellationToken,
        tell: (percent: number, message: string) => void,
    ): Promise<R> {
        const client = this.running ?? (await this.soon());
        if (!client) {
            throw new NotRunning('The Surefoot server is not running.');
        }
        this.told += 1;
        const workDoneToken = `surefoot/request/${this.told}`;
        const listener = client.onProgress(WorkDoneProgress.type, workDoneToken, (progress) => {
            if (progress.kind === 'report') {
                tell(progress.percentage ?? 0, progress.message ?? '');
            }
        });
        try {
            return await client.sendRequest<R>(type.method, { ...params, workDoneToken }, token);
        } finally {
            listener.dispose();
        }
    }

    /** The client that is starting, or nothing when it does not come up in time. */
    private soon(): Promise<LanguageClient | undefined> {
        if (this.current.state !== 'starting') {
            return Promise.resolve(undefined);
        }
        return new Promise((resolve) => {
            const end = () => {
                clearTimeout(timer);
                listener.dispose();
                resolve(this.running);
            };
            const timer = setTimeout(end, START_MS);
            const listener = this.onDidChangeLife(({ state }) => {
                if (state !== 'starting') {
                    end();
                }
            });
        });
    }

    /** Runs a command of ours; what goes wrong is said to the user with what can be done about it. */
    async attempt<T>(what: string, operation: () => Promise<T>): Promise<T | undefined> {
        try {
            return await operation();
        } catch (error) {
            const why = error instanceof Error ? error.message : String(error);
            this.log.error(`${what}: ${why}`);
            const actions = error instanceof NotRunning ? ['Restart Server', 'Show Log'] : ['Show Log'];
            void window.showErrorMessage(`Surefoot: ${what}: ${why}`, ...actions).then((action) => {
                if (action === 'Restart Server') {
                    void commands.executeCommand('surefoot.restartServer');
                } else if (action === 'Show Log') {
                    this.log.show();
                }
            });
            return undefined;
        }
    }

    private async replace(): Promise<void> {
        // Before the old one is gone, so that who asks meanwhile waits for the new one.
        this.changeLife({ state: 'starting' });
        await this.stop();
        const configuration = workspace.getConfiguration('surefoot');
        const found = findServer(
            configuration.get('server.path', ''),
            this.context.extensionPath,
            process.env['PATH'] ?? '',
        );
        if ('missing' in found) {
            this.log.error(found.missing);
            this.changeLife({ state: 'stopped', why: found.missing });
            void window.showErrorMessage(`Surefoot: ${found.missing}`, 'Open Settings').then((action) => {
                if (action) {
                    void commands.executeCommand('workbench.action.openSettings', 'surefoot.server');
                }
            });
            return;
        }
        this.log.info(`starting ${found.path} (from the ${found.from})`);
        const client = this.make(found.path, configuration.get('server.extraArgs', []));
        this.client = client;
        try {
            await client.start();
        } catch (error) {
            const why = error instanceof Error ? error.message : String(error);
            this.log.error(`${found.path} did not start: ${why}`);
            this.changeLife({ state: 'stopped', why: `${found.path} did not start: ${why}` });
        }
    }

    private make(path: string, extraArgs: string[]): Client {
        const client = new Client(
            'surefoot',
            'Surefoot',
            { command: path, args: ['lsp', ...extraArgs] },
            {
                documentSelector: LANGUAGE_IDS.flatMap((language) => [
                    { language, scheme: 'file' },
                    { language, scheme: 'untitled' },
                ]),
                outputChannel: this.log,
                traceOutputChannel: this.trace(),
                revealOutputChannelOn: RevealOutputChannelOn.Never,
                initializationOptions: () => ({
                    client: { name: 'vscode', version: this.version },
                    ask: workspace.isTrusted,
                    changed: true,
                    showCallTree: true,
                    trusted: workspace.isTrusted,
                    settings: forServer(),
                }),
                middleware: this.middleware(),
            },
        );
        client.registerFeature({
            fillClientCapabilities: (capabilities) => {
                capabilities.textDocument = {
                    ...capabilities.textDocument,
                    callHierarchy: { dynamicRegistration: false },
                    typeHierarchy: { dynamicRegistration: false },
                };
                capabilities.experimental = {
                    ...(capabilities.experimental as object | undefined),
                    serverStatusNotification: true,
                };
            },
            initialize: () => undefined,
            getState: () => ({ kind: 'static' }),
            clear: () => undefined,
        });
        for (const part of this.parts) {
            part.attach?.(client);
        }
        client.onDidChangeState(({ newState }) => {
            if (client !== this.client) {
                return;
            }
            switch (newState) {
                case State.Starting:
                    return this.changeLife({ state: 'starting' });
                case State.Running:
                    return this.started(client, path);
                default:
                    return this.changeLife({ state: 'stopped', why: 'The server ended. Its last words are in the log.' });
            }
        });
        return client;
    }

    private traced: LogOutputChannel | undefined;

    private trace(): LogOutputChannel {
        if (!this.traced) {
            const { channel, disposable } = traceChannel(this.log);
            this.traced = channel;
            this.disposables.push(disposable);
        }
        return this.traced;
    }

    private middleware(): Middleware {
        const merged: Middleware = Object.assign({}, ...this.parts.map((part) => part.middleware ?? {}));
        merged.workspace = {
            configuration: async (params, token, next) => {
                const answers = await next(params, token);
                return Array.isArray(answers)
                    ? answers.map((answer: unknown, index) =>
                          params.items[index]?.section === 'surefoot' ? forServer() : answer,
                      )
                    : answers;
            },
        };
        return merged;
    }

    private started(client: Client, path: string): void {
        const info = client.initializeResult?.serverInfo;
        let mismatch: string | undefined;
        if (info?.name !== 'surefoot') {
            mismatch = `${path} calls itself ${info?.name ?? 'nothing'}, not surefoot`;
        } else if (versionsDiffer(this.version, info.version)) {
            // The server says it to the user, once; here it only colours the status.
            mismatch = `the extension is ${this.version}, the server ${info.version ?? 'without a version'}`;
        }
        if (mismatch) {
            this.log.warn(mismatch);
        }
        this.log.info(`${info?.name ?? 'server'} ${info?.version ?? ''} is running`);
        this.changeLife({ state: 'running', path, version: info?.version, mismatch });
    }

    private sendSettings(): void {
        void this.running?.sendNotification(DidChangeConfigurationNotification.type, {
            settings: { surefoot: forServer() },
        });
    }

    private changeLife(life: Life): void {
        this.current = life;
        this.lifeChanged.fire(life);
    }

    private async stop(): Promise<void> {
        const client = this.client;
        this.client = undefined;
        if (client) {
            // A client whose start failed, or that is gone already, refuses to be stopped.
            await client.dispose().catch((error: unknown) => this.log.warn(`stopping: ${String(error)}`));
        }
    }

    dispose(): Promise<void> {
        for (const disposable of this.disposables) {
            disposable.dispose();
        }
        return this.stop();
    }
}
