import { InitializedEvent, InvalidatedEvent, TerminatedEvent } from '@vscode/debugadapter';
import type { DebugProtocol } from '@vscode/debugprotocol';
import { getErrorMessage } from '#base/problems.ts';
import type { DebugEvent } from '#contract/debugging.ts';
import { EditorBreakpoints } from './breakpoints.ts';
import { getCapabilities } from './capabilities.ts';
import type { DebugHost } from './debuggedRun.ts';
import type { DebugStops } from './debugLink.ts';
import { formatTextDifference, RunTexts } from './runTexts.ts';
import { type StepKind, SteppedRunSession } from './steppedRunSession.ts';

/**
 * Translates between VS Code's debugger (Debug Adapter Protocol) and a debug session of the built-in gateway. Threads are branches of the
 * run. The frames of a thread are the current node and the containers around it.
 */
export class AgentDebugAdapter extends SteppedRunSession {
	readonly #breakpoints = new EditorBreakpoints();
	readonly #listening: { dispose(): void };
	#filters: readonly string[] = [];
	#stopOnEntry = false;
	#started = false;

	constructor(host: DebugHost) {
		super(host);
		this.setDebuggerLinesStartAt1(true);
		this.setDebuggerColumnsStartAt1(true);
		this.#listening = host.onDidChangeText(file => this.texts?.readCurrentLines(file) && this.#compareTexts());
	}

	/** Path of the agent file. */
	get agentFile(): string {
		return this.texts?.run.agentPath ?? '';
	}

	/** Stops the run, because the window closes or VS Code drops the session. */
	override dispose(): void {
		this.#listening.dispose();
		this.stopRun();
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
		if (this.isEnded) {
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

	protected override pauseRequest(response: DebugProtocol.PauseResponse): void {
		void this.respondWith(response, () => this.link.sendCommand({ command: 'pause' }).then(() => undefined));
	}

	protected override terminateRequest(response: DebugProtocol.TerminateResponse): void {
		this.sendResponse(response);
		this.stopRun();
	}

	protected override disconnectRequest(response: DebugProtocol.DisconnectResponse): void {
		this.stopRun();
		this.sendResponse(response);
		this.endSession();
	}

	async #launchRun(response: DebugProtocol.LaunchResponse, args: DebugProtocol.LaunchRequestArguments): Promise<void> {
		const { stopOnEntry, step } = args as { stopOnEntry?: unknown; step?: StepKind };
		this.#stopOnEntry = stopOnEntry === true;
		this.stepOnEntry = step;
		let run: Awaited<ReturnType<DebugHost['prepareRun']>>;
		try {
			run = await this.host.prepareRun(args);
		} catch (error) {
			this.sendErrorMessage(response, getErrorMessage(error));
			this.endSession();
			return;
		}
		this.sendResponse(response);
		// the user canceled, or stopped the session while it asked for inputs
		if (!run || this.isEnded) {
			this.endSession();
			return;
		}
		this.texts = new RunTexts(run, this.host);
		this.#compareTexts();
		this.sendEvent(new InitializedEvent());
	}

	protected override onDebugEvent(event: DebugEvent): void {
		if (event.event === 'debug_session') {
			this.host.onDidStart();
		} else if (event.event === 'debug_stopped') {
			this.showStop(event.data);
		} else if (event.event === 'debug_continued') {
			this.reportContinued();
			this.forgetStop();
		} else if (event.event === 'debug_output') {
			const { text, node, agent, fault } = event.data;
			this.printMessage(text, fault ? 'stderr' : 'console', this.texts?.locateNode(node, agent));
		}
	}

	/** Shows frames in the running text while a file differs from it, and in the file otherwise. */
	#compareTexts(): void {
		const added = this.isEnded ? undefined : this.texts?.compareTexts();
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
			this.link.setStops(this.#getStops()).catch((error: unknown) => this.printError(error));
		}
	}

	/** Stops the run, which ends the session. If the run hasn't started, ends the session immediately. */
	stopRun(): void {
		if (this.#started && !this.isEnded) {
			this.texts?.run.stop();
		} else {
			this.endSession();
		}
	}

	/** Ends the session, whatever the cause. */
	protected override endSession(): void {
		if (!this.isEnded) {
			this.endStops();
			this.link.endSession();
			this.sendEvent(new TerminatedEvent());
		}
	}
}
