import {
	DebugSession,
	type Event,
	InitializedEvent,
	InvalidatedEvent,
	OutputEvent,
	StoppedEvent,
	TerminatedEvent,
} from '@vscode/debugadapter';
import type { DebugProtocol } from '@vscode/debugprotocol';
import * as vscode from 'vscode';
import { messageOf } from '../common/problems.ts';
import type { DebugEvent, DebugFrame } from '../protocol/debugging.ts';
import { AgentLines } from './agentLines.ts';
import { Breakpoints } from './breakpoints.ts';
import { capabilities } from './capabilities.ts';
import type { DebugHost, PreparedRun } from './debuggedRun.ts';
import { DebugLink, type DebugStops } from './debugLink.ts';
import { childrenOf, pagesOf, shownVariable, typedValue } from './shownValues.ts';
import { type FramePlace, Numbers, StoppedRun } from './stoppedRun.ts';

/** The one source that is no file: the text of the run, where the file has another by now. */
const textOfRun = 1;
/** A run that stands nowhere has this one thread, by which it is paused. */
const onlyThread = 1;

const stopReasons = { entry: 'entry', breakpoint: 'breakpoint', step: 'step', pause: 'pause', failure: 'exception' } as const;

/**
 * Translates between the editor's debugger (Debug Adapter Protocol) and a debug session of the built-in gateway: threads are branches, frames the node and the
 * containers around it. What it is asked for, it asks the gateway; it keeps no copy of a run's values.
 */
export class AgentDebugAdapter extends DebugSession {
	readonly #host: DebugHost;
	readonly #breakpoints = new Breakpoints();
	readonly #numbers = new Numbers();
	readonly #link = new DebugLink({ event: event => this.#take(event), ended: () => this.#end() });
	readonly #listening: { dispose(): void };
	#failures: DebugStops['failures'] = [];
	#stopOnEntry = false;
	#run: PreparedRun | undefined;
	/** The nodes of the run's text, and those of the text as the editor has it. */
	#lines = new AgentLines('');
	#now: { readonly text: string; readonly lines: AgentLines } = { text: '', lines: this.#lines };
	#stopped: StoppedRun | undefined;
	/** Types of the values that were listed last, by scope and name: they say how a typed text is meant. */
	readonly #types = new Map<string, string>();
	#started = false;
	#differs = false;
	#terminated = false;

	constructor(host: DebugHost) {
		super();
		this.#host = host;
		this.#listening = host.onDidChangeText(path => path === this.#run?.agentPath && this.#compareTexts());
	}

	override dispose(): void {
		this.#listening.dispose();
		// the window closes or the editor drops the session: its run has no owner any more
		this.#run?.stop();
		this.#end();
		super.dispose();
	}

	/** Outputs so far of the nodes, as the run's frame has them, by node ID; for values inside the text. */
	async outputsOf(frameId: number): Promise<ReadonlyMap<string, string>> {
		const place = this.#stopped?.frame(frameId);
		if (!place) {
			return new Map();
		}
		const { branch, at: frame } = place;
		const { scopes } = await this.#link.command({ command: 'scopes', branch, frame });
		const outputs = scopes.find(({ path }) => path[0] === 'outputs');
		if (!outputs) {
			return new Map();
		}
		const { variables } = await this.#link.command({ command: 'variables', branch, frame, path: [...outputs.path] });
		return new Map(variables.map(({ name, text }) => [name, text]));
	}

	/** Whether the frames of this session are shown in this file as it stands. */
	shows(path: string): boolean {
		return path === this.#run?.agentPath && !this.#differs;
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
		this.#started = true;
		this.#run?.start(this.#link, { ...this.#stops(), stop_on_entry: this.#stopOnEntry });
	}

	protected override setBreakPointsRequest(
		response: DebugProtocol.SetBreakpointsResponse,
		{ source, breakpoints = [] }: DebugProtocol.SetBreakpointsArguments,
	): void {
		const path = source.path ?? '';
		const inLines = breakpoints.map(each => ({ ...each, line: this.convertClientLineToDebugger(each.line) }));
		const agentPath = this.#run?.agentPath ?? '';
		const isTextOfRun = source.sourceReference === textOfRun;
		const texts = { agentPath, runs: this.#lines, now: isTextOfRun ? this.#lines : this.#linesNow() };
		const set = this.#breakpoints.set(isTextOfRun ? agentPath : path, inLines, texts);
		response.body = { breakpoints: set.map(each => ({ ...each, ...this.#clientLine(each.line) })) };
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
		{ source, line, endLine }: DebugProtocol.BreakpointLocationsArguments,
	): void {
		const from = this.convertClientLineToDebugger(line);
		const to = endLine === undefined ? from : this.convertClientLineToDebugger(endLine);
		const nodes = source.path === this.#run?.agentPath ? this.#linesNow().nodes : [];
		const met = nodes.filter(({ first, last }) => first <= to && from <= last);
		response.body = { breakpoints: met.map(({ first }) => ({ line: this.convertDebuggerLineToClient(first) })) };
		this.sendResponse(response);
	}

	protected override threadsRequest(response: DebugProtocol.ThreadsResponse): void {
		const threads = (this.#stopped?.branches ?? []).map(({ id, state, frames }) => ({
			id,
			name: state === 'ending' ? vscode.l10n.t('{0} (still at work)', threadName(frames)) : threadName(frames),
		}));
		response.body = { threads: threads.length > 0 ? threads : [{ id: onlyThread, name: this.#run?.title ?? '' }] };
		this.sendResponse(response);
	}

	protected override stackTraceRequest(
		response: DebugProtocol.StackTraceResponse,
		{ threadId, startFrame = 0, levels }: DebugProtocol.StackTraceArguments,
	): void {
		const frames = this.#stopped?.framesOf(threadId) ?? [];
		const shown = frames.slice(startFrame, levels ? startFrame + levels : undefined);
		response.body = { stackFrames: shown.map(each => this.#shownFrame(each)), totalFrames: frames.length };
		this.sendResponse(response);
	}

	protected override sourceRequest(response: DebugProtocol.SourceResponse): void {
		response.body = { content: this.#run?.text ?? '', mimeType: 'text/x-yaml' };
		this.sendResponse(response);
	}

	protected override scopesRequest(response: DebugProtocol.ScopesResponse, { frameId }: DebugProtocol.ScopesArguments): void {
		void this.#answer(response, async () => {
			const { stopped, place } = this.#standing(frameId);
			const { branch, at: frame } = place;
			const { scopes } = await this.#link.command({ command: 'scopes', branch, frame });
			response.body = {
				scopes: scopes.map(({ name, path, children, expensive }) => ({
					name,
					variablesReference: stopped.reference({ branch, frame, path }),
					namedVariables: children,
					expensive: expensive === true,
				})),
			};
		});
	}

	protected override variablesRequest(
		response: DebugProtocol.VariablesResponse,
		{ variablesReference, start, count, filter }: DebugProtocol.VariablesArguments,
	): void {
		void this.#answer(response, async () => {
			const { stopped, place } = this.#values(variablesReference);
			const path = [...place.path];
			const ask = (page: { start: number; count: number }) =>
				this.#link.command({ command: 'variables', branch: place.branch, frame: place.frame, path, ...page });
			const [first = { start: 0, count: 1000 }] = pagesOf(start, count, Number.POSITIVE_INFINITY);
			const { variables, total } = await ask(first);
			const all = [...variables];
			for (const page of pagesOf(first.start + first.count, count && count - first.count, total)) {
				all.push(...(count && count <= first.count ? [] : (await ask(page)).variables));
			}
			for (const { name, type } of all) {
				this.#types.set(JSON.stringify([...path, name]), type);
			}
			// of a list, what has no number is asked for apart
			const isAsked = filter === 'named' && all.length > 0 && all.every(({ name }) => /^\d+$/.test(name)) ? [] : all;
			response.body = { variables: isAsked.map(each => shownVariable(stopped, place, each)) };
		});
	}

	protected override setVariableRequest(
		response: DebugProtocol.SetVariableResponse,
		{ variablesReference, name, value }: DebugProtocol.SetVariableArguments,
	): void {
		void this.#answer(response, async () => {
			const { stopped, place } = this.#values(variablesReference);
			const path = [
				...place.path,
				/^\d+$/.test(name) && this.#types.has(JSON.stringify([...place.path, name])) ? keyOf(name, place.path) : name,
			];
			response.body = await this.#set(stopped, { ...place, path }, this.#types.get(JSON.stringify([...place.path, name])), value);
		});
	}

	protected override setExpressionRequest(
		response: DebugProtocol.SetExpressionResponse,
		{ expression, value, frameId }: DebugProtocol.SetExpressionArguments,
	): void {
		void this.#answer(response, async () => {
			const { stopped, place } = this.#standing(frameId);
			const { branch, at: frame } = place;
			const { path, type, settable } = await this.#link.command({ command: 'evaluate', branch, frame, expression });
			if (!path || !settable) {
				throw new Error(vscode.l10n.t('“{0}” is not a variable that can be set.', expression));
			}
			response.body = await this.#set(stopped, { branch, frame, path }, type, value);
		});
	}

	protected override evaluateRequest(
		response: DebugProtocol.EvaluateResponse,
		{ expression, frameId }: DebugProtocol.EvaluateArguments,
	): void {
		void this.#answer(response, async () => {
			const { stopped, place } = this.#standing(frameId);
			const at = { branch: place.branch, frame: place.at };
			const found = await this.#link.command({ command: 'evaluate', ...at, expression });
			response.body = { result: found.text, type: found.type, ...childrenOf(stopped, at, found) };
		});
	}

	protected override completionsRequest(
		response: DebugProtocol.CompletionsResponse,
		{ text, column, line = 1, frameId }: DebugProtocol.CompletionsArguments,
	): void {
		void this.#answer(response, async () => {
			const { place } = this.#standing(frameId);
			const written = text.split('\n')[this.convertClientLineToDebugger(line) - 1] ?? text;
			const { items } = await this.#link.command({
				command: 'complete',
				branch: place.branch,
				frame: place.at,
				text: written,
				column: Math.max(0, this.convertClientColumnToDebugger(column) - 1),
			});
			response.body = { targets: items };
		});
	}

	protected override exceptionInfoRequest(response: DebugProtocol.ExceptionInfoResponse): void {
		response.body = {
			exceptionId: vscode.l10n.t('The node failed'),
			description: this.#stopped?.error ?? '',
			breakMode: 'always',
		};
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
		const place = this.#stopped?.frame(frameId);
		if (place?.at === 0) {
			this.#goOn(response, { command: 'restart', branch: place.branch });
		} else {
			this.#refuse(response, vscode.l10n.t('A node runs again, not the container or the agent around it: choose the uppermost frame.'));
		}
	}

	protected override pauseRequest(response: DebugProtocol.PauseResponse): void {
		void this.#answer(response, () => this.#link.command({ command: 'pause' }));
	}

	protected override terminateRequest(response: DebugProtocol.TerminateResponse): void {
		this.sendResponse(response);
		this.#stop();
	}

	protected override disconnectRequest(response: DebugProtocol.DisconnectResponse): void {
		this.#stop();
		this.sendResponse(response);
		this.#end();
	}

	async #launch(response: DebugProtocol.LaunchResponse, args: DebugProtocol.LaunchRequestArguments): Promise<void> {
		this.#stopOnEntry = (args as { stopOnEntry?: unknown }).stopOnEntry === true;
		const run = await this.#host.prepare(args).catch((error: unknown) => error as Error);
		if (run instanceof Error) {
			this.#refuse(response, messageOf(run));
			this.#end();
			return;
		}
		this.sendResponse(response);
		// stopped, or called off, while the user was asked
		if (!run || this.#terminated) {
			this.#end();
			return;
		}
		this.#run = run;
		this.#lines = new AgentLines(run.text);
		this.#now = { text: run.text, lines: this.#lines };
		this.sendEvent(new InitializedEvent());
	}

	#take(event: DebugEvent): void {
		switch (event.event) {
			case 'debug_session':
				return;
			case 'debug_stopped':
				this.#takeStop(event.data);
				return;
			case 'debug_continued':
				this.#run?.standsAt(undefined);
				return;
			case 'debug_output': {
				const { text, node, fault } = event.data;
				const line = this.#lines.of(node)?.first;
				const place = { ...(this.#source() && line !== undefined && { source: this.#source(), ...this.#clientLine(line) }) };
				this.sendEvent(outputEvent(text, fault ? 'stderr' : 'console', place));
			}
		}
	}

	#takeStop({ reason, branch, branches, breakpoints = [], error }: (DebugEvent & { event: 'debug_stopped' })['data']): void {
		const again = this.#stopped?.branch === branch;
		this.#stopped = new StoppedRun(branches, branch, error, this.#numbers);
		const body: DebugProtocol.StoppedEvent['body'] = {
			reason: stopReasons[reason],
			threadId: branch,
			allThreadsStopped: true,
			// work in flight has ended since: the user may have gone elsewhere
			preserveFocusHint: again,
			hitBreakpointIds: breakpoints.map(Number),
			...(error !== undefined && { text: error, description: vscode.l10n.t('Paused on a failure') }),
		};
		const stopped = new StoppedEvent(body.reason, branch);
		stopped.body = body as typeof stopped.body;
		this.sendEvent(stopped);
		this.#run?.standsAt(branches.find(({ id }) => id === branch)?.frames[0]?.title ?? '');
	}

	/** Answers first: the editor takes the answer for the moment in which the run goes on, and the next stop may come before the gateway's own answer. */
	#goOn(response: DebugProtocol.Response, command: Parameters<DebugLink['command']>[0]): void {
		const before = this.#stopped;
		if (!before) {
			this.#refuse(response, notStanding());
			return;
		}
		this.#stopped = undefined;
		this.sendResponse(response);
		this.#link.command(command).catch((error: unknown) => {
			if (this.#terminated) {
				return;
			}
			this.sendEvent(outputEvent(messageOf(error), 'stderr'));
			// it stands where it stood
			if (!this.#stopped) {
				this.#takeStop({ reason: 'pause', branch: before.branch, branches: before.branches });
			}
		});
	}

	async #set(
		stopped: StoppedRun,
		{ branch, frame, path }: { branch: number; frame: number; path: readonly (string | number)[] },
		type: string | undefined,
		text: string,
	): Promise<{ value: string; type: string; variablesReference: number }> {
		const value = typedValue(text, type);
		const set = await this.#link.command({ command: 'set_variable', branch, frame, path: [...path], value });
		this.#run?.note(`${path.join('.')} was set to ${set.text} in the debugger.`);
		this.sendEvent(new InvalidatedEvent(['variables']));
		return { value: set.text, type: set.type, ...childrenOf(stopped, { branch, frame }, set) };
	}

	#standing(frameId: number | undefined): { stopped: StoppedRun; place: FramePlace } {
		const place = this.#stopped?.frame(frameId);
		if (!this.#stopped || !place) {
			throw new Error(notStanding());
		}
		return { stopped: this.#stopped, place };
	}

	#values(reference: number) {
		const place = this.#stopped?.value(reference);
		if (!this.#stopped || !place) {
			throw new Error(notStanding());
		}
		return { stopped: this.#stopped, place };
	}

	#shownFrame({ id, frame }: FramePlace & { readonly id: number }): DebugProtocol.StackFrame {
		const node = frame.node === undefined ? undefined : this.#lines.of(frame.node);
		const source = this.#source();
		return {
			id,
			name: frame.round === undefined ? frame.title : vscode.l10n.t('{0}, round {1}', frame.title, frame.round + 1),
			...(source && { source }),
			...this.#clientLine(node?.first ?? 1),
			column: this.convertDebuggerColumnToClient(1),
			canRestart: frame.kind === 'node',
		} as DebugProtocol.StackFrame;
	}

	/** The agent file, or the text of the run where the file has another one. */
	#source(): DebugProtocol.Source | undefined {
		const run = this.#run;
		return (
			run &&
			(this.#differs
				? { name: vscode.l10n.t('{0} as it runs', run.title), path: run.agentPath, sourceReference: textOfRun }
				: { name: run.title, path: run.agentPath })
		);
	}

	#compareTexts(): void {
		const differs = (this.#host.textOf(this.#run?.agentPath ?? '') ?? this.#run?.text) !== this.#run?.text;
		if (differs === this.#differs || !this.#started) {
			return;
		}
		this.#differs = differs;
		if (differs) {
			const words = vscode.l10n.t(
				'{0} was changed. The run goes on with the text as it was, in which its frames are shown. Restart to run the new text.',
				this.#run?.title ?? '',
			);
			this.sendEvent(outputEvent(words, 'important'));
		}
		this.sendEvent(new InvalidatedEvent(['stacks']));
	}

	#linesNow(): AgentLines {
		const text = this.#host.textOf(this.#run?.agentPath ?? '') ?? this.#run?.text ?? '';
		if (text !== this.#now.text) {
			this.#now = { text, lines: new AgentLines(text) };
		}
		return this.#now.lines;
	}

	#clientLine(line: number | undefined): { line?: number } {
		return line === undefined ? {} : { line: this.convertDebuggerLineToClient(line) };
	}

	#stops(): DebugStops {
		return { breakpoints: this.#breakpoints.forGateway(), failures: [...this.#failures] };
	}

	#sendStops(): void {
		if (this.#started) {
			this.#link.setStops(this.#stops()).catch((error: unknown) => {
				if (!this.#terminated) {
					this.sendEvent(outputEvent(messageOf(error), 'stderr'));
				}
			});
		}
	}

	#stop(): void {
		if (this.#started) {
			this.#run?.stop();
		} else {
			this.#end();
		}
	}

	/** The one end of a session, whatever ends it. */
	#end(): void {
		if (!this.#terminated) {
			this.#terminated = true;
			this.#stopped = undefined;
			this.#run?.standsAt(undefined);
			this.#link.end();
			this.sendEvent(new TerminatedEvent());
		}
	}

	#refuse(response: DebugProtocol.Response, sentence: string): void {
		// braces in a sentence are no variables of it
		this.sendErrorResponse(response, { id: 1, format: '{sentence}', variables: { sentence }, showUser: false });
	}

	async #answer(response: DebugProtocol.Response, make: () => Promise<unknown>): Promise<void> {
		try {
			await make();
		} catch (error) {
			this.#refuse(response, messageOf(error));
			return;
		}
		this.sendResponse(response);
	}
}

/** Items of lists are named by their place. */
function keyOf(name: string, _path: readonly (string | number)[]): string | number {
	return Number(name);
}

function threadName(frames: readonly DebugFrame[]): string {
	return frames
		.filter(({ kind }) => kind !== 'agent')
		.map(({ title, round }) => (round === undefined ? title : `${title} [${round + 1}]`))
		.reverse()
		.join(' › ');
}

function notStanding(): string {
	return vscode.l10n.t('The run does not stand: pause it first.');
}

function outputEvent(text: string, category: string, place: object = {}): Event {
	const event = new OutputEvent(`${text}\n`, category);
	Object.assign(event.body, place);
	return event;
}
