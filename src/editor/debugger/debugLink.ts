import * as vscode from 'vscode';
import type { DebugAnswer } from '#contract/debugAnswers.ts';
import type { DebugBreakpoint, DebugCommand, DebugEvent, FailureStop } from '#contract/debugging.ts';
import type { WorkflowEvent } from '#contract/events.ts';
import type { RunClient } from '#runs/following/runFollowerParts.ts';

/** Receives the events of a {@link DebugLink}. */
interface DebugListener {
	onEvent(event: DebugEvent): void;
	/** Receives the events of the run itself. */
	onRunEvent(event: WorkflowEvent): void;
	/** Called last, when the run's event stream has ended and the session with it. */
	onEnd(): void;
}

export interface DebugStops {
	readonly breakpoints: DebugBreakpoint[];
	readonly failures: FailureStop[];
	readonly model_calls?: boolean;
}

/**
 * Connects one debug session with the gateway. Separates the debug events from the run's event stream, and sends commands. Breakpoints can
 * be set at any time. Those set before the session exists are sent when it starts.
 */
export class DebugLink {
	readonly #listener: DebugListener;
	#service: RunClient | undefined;
	#session: { readonly session_id: string; readonly key: string } | undefined;
	#unsent: DebugStops | undefined;
	/** The last command that changes state. Such commands wait for each other, so that none overtakes another. */
	#last: Promise<unknown> = Promise.resolve();
	#ended = false;

	constructor(listener: DebugListener) {
		this.#listener = listener;
	}

	/** Sends the request of a run and yields the run's events without the debug events. */
	async *run(
		service: RunClient,
		request: Parameters<RunClient['debugRun']>[0],
		options: { readonly signal: AbortSignal },
	): AsyncGenerator<WorkflowEvent, void> {
		this.#service = service;
		try {
			for await (const event of service.debugRun(request, options)) {
				if (isDebugEvent(event)) {
					this.#onDebugEvent(event);
				} else {
					this.#listener.onRunEvent(event);
					yield event;
				}
			}
		} finally {
			this.endSession();
		}
	}

	/** Ends the session of a run that never started, and so has no stream that would end it. */
	endSession(): void {
		if (!this.#ended) {
			this.#ended = true;
			this.#listener.onEnd();
		}
	}

	/** Sends a command. Commands that change state are sent one after the other. Rejects if the gateway refuses it or there is no session. */
	sendCommand<C extends DebugCommand>(command: C): Promise<DebugAnswer<C>> {
		return readOnlyCommands.has(command.command) ? this.#sendToGateway(command) : this.#runInOrder(() => this.#sendToGateway(command));
	}

	/** Replaces the stops. If called again before they are sent, only the last ones are sent. */
	async setStops(stops: DebugStops): Promise<void> {
		this.#unsent = stops;
		if (this.#session && !this.#ended) {
			await this.#runInOrder(() => this.#sendStops());
		}
	}

	async #sendStops(): Promise<void> {
		const stops = this.#unsent;
		if (stops && !this.#ended) {
			this.#unsent = undefined;
			await this.#sendToGateway({ command: 'set_breakpoints', ...stops });
		}
	}

	#runInOrder<T>(send: () => Promise<T>): Promise<T> {
		const sent = this.#last.then(send);
		this.#last = sent.catch(() => undefined);
		return sent;
	}

	async #sendToGateway<C extends DebugCommand>(command: C): Promise<DebugAnswer<C>> {
		if (!this.#service || !this.#session || this.#ended) {
			throw new Error(this.#ended ? vscode.l10n.t('The run has ended.') : vscode.l10n.t("The run hasn't started yet."));
		}
		return this.#service.sendDebugCommand(this.#session, command);
	}

	#onDebugEvent(event: DebugEvent): void {
		if (event.event === 'debug_session') {
			this.#session = event.data;
			// ignore failures: if the session has ended, the listener was already notified
			void this.#runInOrder(() => this.#sendStops()).catch(() => undefined);
		}
		this.#listener.onEvent(event);
	}
}

/** Commands that don't change state. */
const readOnlyCommands: ReadonlySet<DebugCommand['command']> = new Set([
	'scopes',
	'variables',
	'evaluate',
	'complete',
	'model_call',
	'ping',
]);

const debugEventNames: ReadonlySet<string> = new Set<DebugEvent['event']>([
	'debug_session',
	'debug_stopped',
	'debug_continued',
	'debug_output',
]);

function isDebugEvent(event: WorkflowEvent | DebugEvent): event is DebugEvent {
	return debugEventNames.has(event.event);
}
