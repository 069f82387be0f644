import { InitializedEvent, InvalidatedEvent, StoppedEvent, TerminatedEvent } from '@vscode/debugadapter';
import type { DebugProtocol } from '@vscode/debugprotocol';
import * as vscode from 'vscode';
import { messageOf } from '#base/problems.ts';
import type { DebugCommand, DebugEvent } from '#contract/debugging.ts';
import { EditorBreakpoints } from './breakpoints.ts';
import { capabilities } from './capabilities.ts';
import type { DebugHost } from './debuggedRun.ts';
import type { DebugStops } from './debugLink.ts';
import { notStanding } from './debugQuestions.ts';
import { PausedRunSession } from './pausedRunSession.ts';
import { RunTexts, textDifference } from './runTexts.ts';
import { type FramePlace, Numbers, StoppedRun } from './stoppedRun.ts';

/** Milliseconds between signs of life while a run stands: the gateway ends one whose client is gone. */
const pingMs = 15_000;

const stopReasons = { entry: 'entry', breakpoint: 'breakpoint', step: 'step', pause: 'pause', failure: 'exception' } as const;

type Stop = (DebugEvent & { event: 'debug_stopped' })['data'];

/**
 * Translates between the editor's debugger (Debug Adapter Protocol) and a debug session of the built-in gateway: threads are branches, frames the node and the
 * containers around it.
 */
export class AgentDebugAdapter extends PausedRunSession {
	readonly #host: DebugHost;
	readonly #breakpoints = new EditorBreakpoints();
	readonly #numbers = new Numbers();
	readonly #listening: { dispose(): void };
	#failures: DebugStops['failures'] = [];
	#stopOnEntry = false;
	#started = false;
	#terminated = false;
	#ping: NodeJS.Timeout | undefined;

	constructor(host: DebugHost) {
		super();
		this.setDebuggerLinesStartAt1(true);
		this.setDebuggerColumnsStartAt1(true);
		this.#host = host;
		this.#listening = host.onDidChangeText(file => this.texts?.linesNow(file) && this.#compareTexts());
	}

	/** The window closes, or the editor drops the session: the run has no owner any more. */
	override dispose(): void {
		this.#listening.dispose();
		this.#stop();
		this.end();
		super.dispose();
	}

	/** Outputs so far by node ID, for values inside the text of a file; none where the frames of this session are not shown in it. */
	async outputs(file: string, frameId: number): Promise<ReadonlyMap<string, string>> {
		const isShown = file === this.texts?.run.agentPath && !this.texts.differing().some(({ agent }) => agent === undefined);
		return isShown ? this.questions.outputs(frameId) : new Map();
	}

	protected override initializeRequest(response: DebugProtocol.InitializeResponse): void {
		response.body = capabilities();
		this.sendResponse(response);
	}

	protected override launchRequest(response: DebugProtocol.LaunchResponse, args: DebugProtocol.LaunchRequestArguments): void {
		void this.#launch(response, args);
	}

	protected override configurationDoneRequest(response: DebugProtocol.ConfigurationDoneResponse): void {
		this.sendResponse(response);
		// one that was stopped while it was made ready runs nothing
		if (this.#terminated) {
			return;
		}
		this.#started = true;
		this.texts?.run.start(this.link, { ...this.#stops(), stop_on_entry: this.#stopOnEntry });
	}

	protected override setBreakPointsRequest(
		response: DebugProtocol.SetBreakpointsResponse,
		{ source, breakpoints = [] }: DebugProtocol.SetBreakpointsArguments,
	): void {
		const wanted = breakpoints.map(each => ({ ...each, line: this.convertClientLineToDebugger(each.line) }));
		const set = this.texts ? this.#breakpoints.set(source, wanted, this.texts) : [];
		response.body = { breakpoints: set.map(each => ({ ...each, line: this.convertDebuggerLineToClient(each.line ?? 1) })) };
		this.sendResponse(response);
		this.#sendStops();
	}

	protected override setExceptionBreakPointsRequest(
		response: DebugProtocol.SetExceptionBreakpointsResponse,
		{ filters }: DebugProtocol.SetExceptionBreakpointsArguments,
	): void {
		this.#failures = (['node', 'run'] as const).filter(each => filters.includes(each));
		this.sendResponse(response);
		this.#sendStops();
	}

	protected override breakpointLocationsRequest(
		response: DebugProtocol.BreakpointLocationsResponse,
		{ source, line, endLine = line }: DebugProtocol.BreakpointLocationsArguments,
	): void {
		const from = this.convertClientLineToDebugger(line);
		const to = this.convertClientLineToDebugger(endLine);
		const lines = this.texts?.byReference(source.sourceReference)?.lines ?? this.texts?.linesNow(source.path ?? '');
		const met = lines?.nodes.filter(({ first, last }) => first <= to && from <= last) ?? [];
		response.body = { breakpoints: met.map(({ first }) => ({ line: this.convertDebuggerLineToClient(first) })) };
		this.sendResponse(response);
	}

	protected override continueRequest(response: DebugProtocol.ContinueResponse): void {
		response.body = { allThreadsContinued: true };
		this.#goOn(response, { command: 'continue' });
	}

	protected override nextRequest(response: DebugProtocol.NextResponse, { threadId: branch }: DebugProtocol.NextArguments): void {
		this.#goOn(response, { command: 'step', branch, how: 'over' });
	}

	protected override stepInRequest(response: DebugProtocol.StepInResponse, { threadId: branch }: DebugProtocol.StepInArguments): void {
		this.#goOn(response, { command: 'step', branch, how: 'into' });
	}

	protected override stepOutRequest(response: DebugProtocol.StepOutResponse, { threadId: branch }: DebugProtocol.StepOutArguments): void {
		this.#goOn(response, { command: 'step', branch, how: 'out' });
	}

	protected override restartFrameRequest(
		response: DebugProtocol.RestartFrameResponse,
		{ frameId }: DebugProtocol.RestartFrameArguments,
	): void {
		const place = this.stopped?.frame(frameId);
		if (place && this.canRestart(place)) {
			this.#tellRestart(place);
			this.#goOn(response, { command: 'restart', branch: place.branch });
		} else {
			this.refuse(response, vscode.l10n.t('There is no node here that could run again: neither a failed one nor one that led here.'));
		}
	}

	protected override pauseRequest(response: DebugProtocol.PauseResponse): void {
		void this.answer(response, async () => {
			await this.link.command({ command: 'pause' });
			return undefined;
		});
	}

	protected override terminateRequest(response: DebugProtocol.TerminateResponse): void {
		this.sendResponse(response);
		this.#stop();
	}

	protected override disconnectRequest(response: DebugProtocol.DisconnectResponse): void {
		this.#stop();
		this.sendResponse(response);
		this.end();
	}

	async #launch(response: DebugProtocol.LaunchResponse, args: DebugProtocol.LaunchRequestArguments): Promise<void> {
		this.#stopOnEntry = (args as { stopOnEntry?: unknown }).stopOnEntry === true;
		let run: Awaited<ReturnType<DebugHost['prepare']>>;
		try {
			run = await this.#host.prepare(args);
		} catch (error) {
			this.refuse(response, messageOf(error));
			this.end();
			return;
		}
		this.sendResponse(response);
		// called off, or ended while the user was asked
		if (!run || this.#terminated) {
			this.end();
			return;
		}
		this.texts = new RunTexts(run, this.#host);
		this.#compareTexts();
		this.sendEvent(new InitializedEvent());
	}

	protected override takeEvent(event: DebugEvent): void {
		if (event.event === 'debug_stopped') {
			this.#takeStop(event.data);
		} else if (event.event === 'debug_continued') {
			this.texts?.run.standsAt(undefined);
		} else if (event.event === 'debug_output') {
			const { text, node, agent, fault } = event.data;
			this.print(text, fault ? 'stderr' : 'console', this.texts?.placeOf(node, agent));
		}
	}

	#takeStop({ reason, branch, branches, breakpoints = [], error }: Stop): void {
		const before = this.stopped;
		// the editor holds numbers of frames and values, and the user may be typing into one
		before?.update(branches, branch);
		this.stopped = before ?? new StoppedRun(branches, branch, this.#numbers);
		const stopped: DebugProtocol.StoppedEvent = new StoppedEvent(stopReasons[reason], branch);
		stopped.body.allThreadsStopped = true;
		// where work in flight has ended since, the user may have gone elsewhere
		stopped.body.preserveFocusHint = before !== undefined;
		stopped.body.hitBreakpointIds = breakpoints.map(Number);
		if (error !== undefined) {
			stopped.body.text = error;
		}
		this.sendEvent(stopped);
		const [frame] = this.stopped.of(branch)?.frames ?? [];
		this.texts?.run.standsAt({ id: frame?.node ?? '', title: frame?.title ?? '', places: this.stopped.places });
		// a sign of life that comes too late is answered by the end of the session
		this.#ping ??= setInterval(() => void this.link.command({ command: 'ping' }).catch(() => undefined), pingMs);
	}

	/** Answers first: the editor takes the answer for the moment in which the run goes on, and the next stop may come before the gateway's own answer. */
	#goOn(response: DebugProtocol.Response, command: DebugCommand): void {
		const before = this.stopped;
		if (!before) {
			this.refuse(response, notStanding());
			return;
		}
		this.stopped = undefined;
		this.sendResponse(response);
		this.link.command(command).catch((error: unknown) => {
			this.#tellFault(error);
			// it stands where it stood
			if (!this.stopped && !this.#terminated) {
				this.#takeStop({ reason: 'pause', branch: before.branch, branches: before.branches });
			}
		});
	}

	/** Says which node runs again: if the run is paused before a node, that is the node that led there. */
	#tellRestart({ branch, frame }: FramePlace): void {
		const restarts = this.stopped?.of(branch)?.restarts;
		if (!restarts) {
			return;
		}
		const { node, title } = restarts;
		this.print(
			node === frame.node
				? vscode.l10n.t("Running '{0}' again with the variables as they are now.", title)
				: vscode.l10n.t("'{0}' hasn't run yet, so '{1}', which led to it, runs again. Its outputs are replaced.", frame.title, title),
			'console',
		);
		const lost = this.questions.takeSetOf(node, frame.agent);
		if (lost.length > 0) {
			this.print(vscode.l10n.t('Values that you set are replaced too: {0}.', lost.join(', ')), 'important');
		}
	}

	/** Frames move to the text that runs if a file has another one now, and back. */
	#compareTexts(): void {
		const added = this.#terminated ? undefined : this.texts?.compare();
		if (added) {
			for (const running of added) {
				this.print(textDifference(running), 'important');
			}
			this.sendEvent(new InvalidatedEvent(['stacks']));
		}
	}

	#stops(): DebugStops {
		return { breakpoints: this.#breakpoints.forGateway(), failures: [...this.#failures] };
	}

	#sendStops(): void {
		if (this.#started) {
			this.link.setStops(this.#stops()).catch((error: unknown) => this.#tellFault(error));
		}
	}

	#tellFault(error: unknown): void {
		if (!this.#terminated) {
			this.print(messageOf(error), 'stderr');
		}
	}

	/** The run is stopped as any is, and the session ends with it; one that has not begun ends at once. */
	#stop(): void {
		if (this.#terminated) {
			return;
		}
		if (this.#started) {
			this.texts?.run.stop();
		} else {
			this.end();
		}
	}

	/** The one end of a session, whatever ends it. */
	protected override end(): void {
		if (!this.#terminated) {
			this.#terminated = true;
			this.stopped = undefined;
			clearInterval(this.#ping);
			this.texts?.run.standsAt(undefined);
			this.link.end();
			this.sendEvent(new TerminatedEvent());
		}
	}
}
