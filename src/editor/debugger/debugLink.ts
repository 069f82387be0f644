import type { DebugAnswer, DebugBreakpoint, DebugCommand, DebugEvent, FailureStop } from '#contract/debugging.ts';
import type { WorkflowEvent } from '#contract/events.ts';
import type { RunClient } from '#runs/following/runFollowerParts.ts';

/** Whom the link tells what happens in the session. */
interface DebugListener {
	event(event: DebugEvent): void;
	/** The stream has ended, and the session with it; the last that is told. */
	ended(): void;
}

/** What stops a run, as commands and the start of a run say it. */
export interface DebugStops {
	readonly breakpoints: DebugBreakpoint[];
	readonly failures: FailureStop[];
}

/**
 * The gateway's side of one debug session: takes its events out of those of the run, so that the run is followed as any other, and sends commands.
 * What stops the run can be set at any time; what is set before the session has its name is sent as soon as it has.
 */
export class DebugLink {
	readonly #listener: DebugListener;
	#service: RunClient | undefined;
	#session: { readonly session_id: string; readonly key: string } | undefined;
	#unsent: DebugStops | undefined;
	/** The last command that changes anything: each waits for those before, which could otherwise be overtaken on their way. */
	#last: Promise<unknown> = Promise.resolve();
	#ended = false;

	constructor(listener: DebugListener) {
		this.#listener = listener;
	}

	/** Sends the request of a run and yields the run's own events. */
	async *run(
		service: RunClient,
		request: Parameters<RunClient['debugRun']>[0],
		options: { readonly signal: AbortSignal },
	): AsyncGenerator<WorkflowEvent, void> {
		this.#service = service;
		try {
			for await (const event of service.debugRun(request, options)) {
				if (isDebugEvent(event)) {
					this.#take(event);
				} else {
					yield event;
				}
			}
		} finally {
			this.end();
		}
	}

	/** Ends the session without its run: one that never began has no stream that could. */
	end(): void {
		if (!this.#ended) {
			this.#ended = true;
			this.#listener.ended();
		}
	}

	/** Sends a command. Those that change anything are sent one after the other. Rejects with a sentence where the gateway refuses it, or where there is no session. */
	command<C extends DebugCommand>(command: C): Promise<DebugAnswer<C>> {
		return asking.has(command.command) ? this.#send(command) : this.#inTurn(() => this.#send(command));
	}

	/** Sets what stops the run from now on. Of what is set while another command is on its way only the last is sent. */
	async setStops(stops: DebugStops): Promise<void> {
		this.#unsent = stops;
		if (this.#session && !this.#ended) {
			await this.#inTurn(() => this.#sendStops());
		}
	}

	async #sendStops(): Promise<void> {
		const stops = this.#unsent;
		if (stops && !this.#ended) {
			this.#unsent = undefined;
			await this.#send({ command: 'set_breakpoints', ...stops });
		}
	}

	#inTurn<T>(send: () => Promise<T>): Promise<T> {
		const sent = this.#last.then(send);
		this.#last = sent.catch(() => undefined);
		return sent;
	}

	async #send<C extends DebugCommand>(command: C): Promise<DebugAnswer<C>> {
		if (!this.#service || !this.#session || this.#ended) {
			throw new Error(this.#ended ? 'The run has ended.' : 'The run has not begun yet.');
		}
		return this.#service.commandDebugger(this.#session, command);
	}

	#take(event: DebugEvent): void {
		if (event.event === 'debug_session') {
			this.#session = event.data;
			// a session that is over by then has told so
			void this.#inTurn(() => this.#sendStops()).catch(() => undefined);
		}
		this.#listener.event(event);
	}
}

/** Commands that change nothing. */
const asking: ReadonlySet<DebugCommand['command']> = new Set(['scopes', 'variables', 'evaluate', 'complete', 'ping']);

const names: ReadonlySet<string> = new Set<DebugEvent['event']>(['debug_session', 'debug_stopped', 'debug_continued', 'debug_output']);

function isDebugEvent(event: WorkflowEvent | DebugEvent): event is DebugEvent {
	return names.has(event.event);
}
