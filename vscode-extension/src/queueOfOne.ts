// Runs one thing at a time and remembers at most one more wish: ten restarts asked for at once are two.

export class QueueOfOne {
    private running: Promise<void> | undefined;
    private waiting: Promise<void> | undefined;

    constructor(private readonly operation: () => Promise<void>) {}

    /** Resolves when an operation that began after this call has ended. */
    request(): Promise<void> {
        if (!this.running) {
            return this.begin();
        }
        this.waiting ??= this.running.catch(() => undefined).then(() => {
            this.waiting = undefined;
            return this.begin();
        });
        return this.waiting;
    }

    private begin(): Promise<void> {
        const running = this.operation().finally(() => {
            if (this.running === running) {
                this.running = undefined;
            }
        });
        this.running = running;
        return running;
    }
}
