import { InitializedEvent, InvalidatedEvent, TerminatedEvent } from '@vscode/debugadapter';
import type { DebugProtocol } from '@vscode/debugprotocol';
import * as vscode from 'vscode';
import { getErrorMessage } from '#base/problems.ts';
import type { DebugCommand, DebugEvent } from '#contract/debugging.ts';
import { EditorBreakpoints } from './breakpoints.ts';
import { getCapabilities } from './capabilities.ts';
import type { DebugHost } from './debuggedRun.ts';
import type { DebugStops } from './debugLink.ts';
import { getNotPausedMessage } from './debugQuestions.ts';
import { getRefusal, PausedRunSession } from './pausedRunSession.ts';
import { formatTextDifference, RunTexts } from './runTexts.ts';
import { createStoppedEvent, type ReportedStop } from './stoppedEvent.ts';
import { IdCounter, StoppedRun } from './stoppedRun.ts';

/** Milliseconds between keep-alive commands. The gateway ends a paused run whose client sends none. */
const pingMs = 15_000;

/**
 * Translates between VS Code's debugger (Debug Adapter Protocol) and a debug session of the built-in gateway. Threads are branches of the
 * run. The frames of a thread are the current node and the containers around it.
 */
export class AgentDebugAdapter extends PausedRunSession {
	readonly #host: DebugHost;
	readonly #breakpoints = new EditorBreakpoints();
	readonly #numbers = new IdCounter();
	readonly #listening: { dispose(): void };
	#filters: readonly string[] = [];
	#stopOnEntry = false;
	#started = false;
	#terminated = false;
	#past: ReportedStop['past'];
	#ping: NodeJS.Timeout | undefined;

	constructor(host: DebugHost) {
		super();
		this.setDebuggerLinesStartAt1(true);
		this.setDebuggerColumnsStartAt1(true);
		this.#host = host;
		this.#listening = host.onDidChangeText(file => this.texts?.readCurrentLines(file) && this.#compareTexts());
	}

	/** Stops the run, because the window closes or VS Code drops the session. */
	override dispose(): void {
		this.#listening.dispose();
		this.#stopRun();
		this.endSession();
		super.dispose();
	}

	/** Returns outputs by node ID for inline values in a file. Returns none if the file doesn't show the session's frames. */
	async getInlineOutputs(file: string, frameId: number): Promise<ReadonlyMap<string, string>> {
		const isShown = file === this.texts?.run.agentPath && !this.texts.listDifferingTexts().some(({ agent }) => agent === undefined);
		return isShown ? this.questions.readOutputs(frameId) : new Map();
	}

	protected override initializeRequest(response: DebugProtocol.InitializeResponse): void {
		response.body = getCapabilities();
		this.sendResponse(response);
	}

	protected override launchRequest(response: DebugProtocol.LaunchResponse, args: DebugProtocol.LaunchRequestArguments): void {
		void this.#launchRun(response, args);
	}

	protected override configurationDoneRequest(response: DebugProtocol.ConfigurationDoneResponse): void {
		this.sendResponse(response);
		// the user stopped the session while the run was being prepared
		if (this.#terminated) {
			return;
		}
		this.#started = true;
		this.printStart();
		this.texts?.run.start(this.link, { ...this.#getStops(), stop_on_entry: this.#stopOnEntry });
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
		this.#filters = filters;
		this.sendResponse(response);
		this.#sendStops();
	}

	protected override breakpointLocationsRequest(
		response: DebugProtocol.BreakpointLocationsResponse,
		{ source, line, endLine = line }: DebugProtocol.BreakpointLocationsArguments,
	): void {
		const from = this.convertClientLineToDebugger(line);
		const to = this.convertClientLineToDebugger(endLine);
		const lines = this.texts?.findTextByReference(source.sourceReference)?.lines ?? this.texts?.readCurrentLines(source.path ?? '');
		const met = lines?.nodes.filter(({ first, last }) => first <= to && from <= last) ?? [];
		response.body = { breakpoints: met.map(({ first }) => ({ line: this.convertDebuggerLineToClient(first) })) };
		this.sendResponse(response);
	}

	protected override continueRequest(response: DebugProtocol.ContinueResponse): void {
		response.body = { allThreadsContinued: true };
		this.#resumeRun(response, { command: 'continue' });
	}

	protected override nextRequest(response: DebugProtocol.NextResponse, { threadId: branch }: DebugProtocol.NextArguments): void {
		this.#resumeRun(response, { command: 'step', branch, how: 'over' });
	}

	protected override stepInRequest(response: DebugProtocol.StepInResponse, { threadId: branch }: DebugProtocol.StepInArguments): void {
		this.#resumeRun(response, { command: 'step', branch, how: 'into' });
	}

	protected override stepOutRequest(response: DebugProtocol.StepOutResponse, { threadId: branch }: DebugProtocol.StepOutArguments): void {
		this.#resumeRun(response, { command: 'step', branch, how: 'out' });
	}

	protected override restartFrameRequest(
		response: DebugProtocol.RestartFrameResponse,
		{ frameId }: DebugProtocol.RestartFrameArguments,
	): void {
		const place = this.stopped?.findFrame(frameId);
		if (place && this.canRestartFrame(place)) {
			this.printRestart(place);
			this.#resumeRun(response, { command: 'restart', branch: place.branch });
		} else {
			this.sendErrorMessage(
				response,
				vscode.l10n.t("There's no node to run again here. A node can be rerun after it fails, or from a node that comes after it."),
			);
		}
	}

	protected override stepBackRequest(
		response: DebugProtocol.StepBackResponse,
		{ threadId: branch }: DebugProtocol.StepBackArguments,
	): void {
		this.#resumeRun(response, { command: 'step_back', branch });
	}

	protected override reverseContinueRequest(response: DebugProtocol.ReverseContinueResponse): void {
		this.#resumeRun(response, { command: 'reverse' });
	}

	/** Returns from an earlier step to where the run is paused. Does nothing in the present, because the gateway would report no stop. */
	async returnToPresent(): Promise<void> {
		this.stopped = this.#past ? undefined : this.stopped;
		await (this.#past && this.link.sendCommand({ command: 'present' }));
	}

	protected override pauseRequest(response: DebugProtocol.PauseResponse): void {
		void this.respondWith(response, () => this.link.sendCommand({ command: 'pause' }).then(() => undefined));
	}

	protected override terminateRequest(response: DebugProtocol.TerminateResponse): void {
		this.sendResponse(response);
		this.#stopRun();
	}

	protected override disconnectRequest(response: DebugProtocol.DisconnectResponse): void {
		this.#stopRun();
		this.sendResponse(response);
		this.endSession();
	}

	async #launchRun(response: DebugProtocol.LaunchResponse, args: DebugProtocol.LaunchRequestArguments): Promise<void> {
		this.#stopOnEntry = (args as { stopOnEntry?: unknown }).stopOnEntry === true;
		let run: Awaited<ReturnType<DebugHost['prepareRun']>>;
		try {
			run = await this.#host.prepareRun(args);
		} catch (error) {
			this.sendErrorMessage(response, getErrorMessage(error));
			this.endSession();
			return;
		}
		this.sendResponse(response);
		// the user canceled, or stopped the session while it asked for inputs
		if (!run || this.#terminated) {
			this.endSession();
			return;
		}
		this.texts = new RunTexts(run, this.#host);
		this.#compareTexts();
		this.sendEvent(new InitializedEvent());
	}

	protected override onDebugEvent(event: DebugEvent): void {
		if (event.event === 'debug_stopped') {
			this.#showStop(event.data);
		} else if (event.event === 'debug_continued') {
			this.reportContinued();
			this.#showPast(undefined);
			this.texts?.run.showPausedAt(undefined);
		} else if (event.event === 'debug_output') {
			const { text, node, agent, fault } = event.data;
			this.printMessage(text, fault ? 'stderr' : 'console', this.texts?.locateNode(node, agent));
		}
	}

	#showStop(stop: ReportedStop): void {
		const { branch, branches, past } = stop;
		// IDs in the past belong to one step
		const before = past ? undefined : this.stopped;
		// update in place, because VS Code keeps IDs of frames and values, and the user may be editing a value
		before?.updateBranches(branches, branch);
		this.stopped = before ?? new StoppedRun(branches, branch, this.#numbers);
		this.#showPast(past);
		this.sendEvent(createStoppedEvent(stop, before !== undefined));
		const [frame] = this.stopped.findBranch(branch)?.frames ?? [];
		this.texts?.run.showPausedAt({ id: frame?.node ?? '', title: frame?.title ?? '', places: this.stopped.places });
		// ignore failures: if a ping is too late, the gateway ends the session
		this.#ping ??= setInterval(() => void this.link.sendCommand({ command: 'ping' }).catch(() => undefined), pingMs);
	}

	/** Resumes the run. Responds to VS Code before sending the command, because the next stop may arrive before the gateway's response. */
	#resumeRun(response: DebugProtocol.Response, command: DebugCommand): void {
		const before = this.stopped;
		if (!before) {
			this.sendErrorMessage(response, getNotPausedMessage());
			return;
		}
		this.stopped = undefined;
		this.sendResponse(response);
		this.link.sendCommand(command).catch((error: unknown) => {
			this.#printError(error);
			// the command failed, so the run is still paused in the same place
			if (!this.stopped && !this.#terminated) {
				this.#showStop({ reason: 'pause', branch: before.branch, branches: before.branches, ...(this.#past && { past: this.#past }) });
			}
		});
	}

	/** Shows whether the session is at an earlier step of the run. */
	#showPast(past: ReportedStop['past']): void {
		this.#past = past;
		this.#host.onDidChangePast(past);
	}

	/** Shows frames in the running text while a file differs from it, and in the file otherwise. */
	#compareTexts(): void {
		const added = this.#terminated ? undefined : this.texts?.compareTexts();
		if (added) {
			for (const running of added) {
				this.printMessage(formatTextDifference(running), 'important');
			}
			this.sendEvent(new InvalidatedEvent(['stacks']));
		}
	}

	#getStops(): DebugStops {
		const isOn = (filter: string) => this.#filters.includes(filter);
		return {
			breakpoints: this.#breakpoints.toGatewayBreakpoints(),
			failures: (['node', 'run'] as const).filter(isOn),
			...(isOn('model') && { model_calls: true }),
		};
	}

	#sendStops(): void {
		if (this.#started) {
			this.link.setStops(this.#getStops()).catch((error: unknown) => this.#printError(error));
		}
	}

	#printError(error: unknown): void {
		if (!this.#terminated) {
			this.printMessage(getRefusal(error), 'stderr');
		}
	}

	/** Stops the run, which ends the session. If the run hasn't started, ends the session immediately. */
	#stopRun(): void {
		if (this.#started && !this.#terminated) {
			this.texts?.run.stop();
		} else {
			this.endSession();
		}
	}

	/** Ends the session, whatever the cause. */
	protected override endSession(): void {
		if (!this.#terminated) {
			this.#terminated = true;
			this.stopped = undefined;
			clearInterval(this.#ping);
			this.#showPast(undefined);
			this.texts?.run.showPausedAt(undefined);
			this.link.endSession();
			this.sendEvent(new TerminatedEvent());
		}
	}
}
