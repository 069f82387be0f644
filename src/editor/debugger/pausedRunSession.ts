import { ContinuedEvent, DebugSession, InvalidatedEvent, OutputEvent } from '@vscode/debugadapter';
import type { DebugProtocol } from '@vscode/debugprotocol';
import * as vscode from 'vscode';
import { Problem } from '#base/problems.ts';
import { type LocalizableMessage, translateMessage } from '#base/text/localizableMessage.ts';
import type { DebugEvent, DebugFrame } from '#contract/debugging.ts';
import type { DebugModelCall, DebugModelReply } from '#contract/debugModelCalls.ts';
import { translateError } from '../platform/translateError.ts';
import { DebugLink } from './debugLink.ts';
import { DebugQuestions } from './debugQuestions.ts';
import type { AnswerableRun, PausedModelCall } from './replyDocuments.ts';
import { formatRunEnd, formatRunStart } from './runMessages.ts';
import type { RunTexts } from './runTexts.ts';
import type { FramePlace, StoppedRun } from './stoppedRun.ts';

/** ID of the thread to list while the run isn't paused. Without a thread, VS Code couldn't pause it. */
const onlyThread = 1;

/** Shows a paused run in the debugger: its branches as threads, their frames, and the values. */
export abstract class PausedRunSession extends DebugSession implements AnswerableRun {
	protected readonly link = new DebugLink({
		onEvent: event => this.onDebugEvent(event),
		onRunEvent: event => this.#printMessages(formatRunEnd(event, this.texts?.run.secrets ?? new Map())),
		onEnd: () => this.endSession(),
	});
	protected readonly questions = new DebugQuestions(this.link, () => this.stopped);
	/** Set when the run is prepared. */
	protected texts: RunTexts | undefined;
	/** Set while the run is paused. */
	protected stopped: StoppedRun | undefined;

	get modelCalls(): readonly PausedModelCall[] {
		const { branches = [], branch } = this.stopped ?? {};
		const calls = branches.flatMap(({ id, call, frames: [frame] }) => {
			const place = this.texts?.locateNode(frame?.node, frame?.agent);
			const at = place?.source.path === undefined ? {} : { file: place.source.path, line: place.line - 1 };
			return call ? [{ branch: id, ...call, title: frame?.title ?? '', ...at }] : [];
		});
		return calls.toSorted((a, b) => Number(b.branch === branch) - Number(a.branch === branch));
	}

	readModelCall(branch: number): Promise<DebugModelCall> {
		return this.link.sendCommand({ command: 'model_call', branch });
	}

	async answerModelCall({ branch, number }: PausedModelCall, reply: DebugModelReply): Promise<void> {
		try {
			await this.link.sendCommand({ command: 'answer', branch, call: number, reply });
		} catch (error) {
			throw new Problem('refused-reply', getRefusal(error), undefined, { cause: error });
		}
	}

	protected abstract onDebugEvent(event: DebugEvent): void;

	protected abstract endSession(): void;

	protected override threadsRequest(response: DebugProtocol.ThreadsResponse): void {
		const threads = (this.stopped?.branches ?? []).map(({ id, state, frames }) => ({
			id,
			name:
				state === 'ending'
					? vscode.l10n.t({
							message: '{0} (still running)',
							args: [formatThreadName(frames)],
							comment: ['{0} is the name of a branch of the run'],
						})
					: formatThreadName(frames),
		}));
		response.body = { threads: threads.length > 0 ? threads : [{ id: onlyThread, name: this.texts?.title ?? '' }] };
		this.sendResponse(response);
	}

	protected override stackTraceRequest(
		response: DebugProtocol.StackTraceResponse,
		{ threadId, startFrame = 0, levels }: DebugProtocol.StackTraceArguments,
	): void {
		const frames = this.stopped?.listFrames(threadId) ?? [];
		const shown = frames.slice(startFrame, levels ? startFrame + levels : undefined);
		response.body = { stackFrames: shown.map(each => this.#toStackFrame(each)), totalFrames: frames.length };
		this.sendResponse(response);
	}

	protected override sourceRequest(
		response: DebugProtocol.SourceResponse,
		{ source, sourceReference }: DebugProtocol.SourceArguments,
	): void {
		const text = this.texts?.findTextByReference(source?.sourceReference ?? sourceReference)?.text;
		response.body = { content: text ?? '', mimeType: 'text/x-yaml' };
		this.sendResponse(response);
	}

	protected override scopesRequest(response: DebugProtocol.ScopesResponse, args: DebugProtocol.ScopesArguments): void {
		void this.respondWith(response, () => this.questions.listScopes(args));
	}

	protected override variablesRequest(response: DebugProtocol.VariablesResponse, args: DebugProtocol.VariablesArguments): void {
		void this.respondWith(response, () => this.questions.listVariables(args));
	}

	protected override setVariableRequest(response: DebugProtocol.SetVariableResponse, args: DebugProtocol.SetVariableArguments): void {
		void this.#respondToSetting(response, () => this.questions.setVariable(args));
	}

	protected override setExpressionRequest(response: DebugProtocol.SetExpressionResponse, args: DebugProtocol.SetExpressionArguments): void {
		void this.#respondToSetting(response, () => this.questions.setExpression(args));
	}

	protected override evaluateRequest(response: DebugProtocol.EvaluateResponse, args: DebugProtocol.EvaluateArguments): void {
		// an assignment in the console may have changed a value
		void this.respondWith(response, () => this.questions.evaluateExpression(args)).then(
			() => args.context === 'repl' && this.#invalidateVariables(),
		);
	}

	protected override completionsRequest(response: DebugProtocol.CompletionsResponse, args: DebugProtocol.CompletionsArguments): void {
		const { text, frameId } = args;
		const line = args.line === undefined ? 0 : this.convertClientLineToDebugger(args.line) - 1;
		const column = Math.max(0, this.convertClientColumnToDebugger(args.column) - 1);
		void this.respondWith(response, () => this.questions.listCompletions({ text, line, column, frameId }));
	}

	protected override exceptionInfoRequest(
		response: DebugProtocol.ExceptionInfoResponse,
		{ threadId }: DebugProtocol.ExceptionInfoArguments,
	): void {
		const branch = this.stopped?.findBranch(threadId);
		response.body = {
			exceptionId: vscode.l10n.t("'{0}' failed", branch?.frames[0]?.title ?? ''),
			description: branch?.error ?? '',
			breakMode: 'always',
		};
		this.sendResponse(response);
	}

	#toStackFrame(place: FramePlace & { readonly id: number }): DebugProtocol.StackFrame {
		const { id, frame } = place;
		const at = this.texts?.locateNode(frame.node, frame.agent);
		return {
			id,
			// agent files may have no name
			name:
				frame.round === undefined
					? frame.title || (frame.agent ?? this.texts?.title ?? '')
					: vscode.l10n.t({
							message: '{0}, iteration {1}',
							args: [frame.title, frame.round + 1],
							comment: ['{0} is the title of a node, {1} is the number of the iteration'],
						}),
			...(at && { source: at.source }),
			line: this.convertDebuggerLineToClient(at?.line ?? 1),
			column: this.convertDebuggerColumnToClient(1),
			canRestart: this.canRestartFrame(place),
		};
	}

	protected canRestartFrame({ branch, at }: FramePlace): boolean {
		return at === 0 && this.stopped?.findBranch(branch)?.restarts !== undefined;
	}

	/** Keeps the shown values after a refusal, because VS Code shows its message at the value that was edited. */
	async #respondToSetting<R extends DebugProtocol.Response>(response: R, set: () => Promise<R['body']>): Promise<void> {
		await this.respondWith(response, set);
		if (response.success) {
			this.#invalidateVariables();
		}
	}

	/** Makes VS Code read all shown values again, because others may depend on the one that was set. */
	#invalidateVariables(): void {
		this.sendEvent(new InvalidatedEvent(['variables']));
	}

	protected printMessage(text: string, category: string, place?: ReturnType<RunTexts['locateNode']>): void {
		const event: DebugProtocol.OutputEvent = new OutputEvent(`${text}\n`, category);
		if (place) {
			event.body.source = place.source;
			event.body.line = this.convertDebuggerLineToClient(place.line);
		}
		this.sendEvent(event);
	}

	/** Prints which node runs again. If the run is paused before a node, the previous node runs again. */
	protected printRestart({ branch, frame }: FramePlace): void {
		const restarts = this.stopped?.findBranch(branch)?.restarts;
		if (!restarts) {
			return;
		}
		const { node, title } = restarts;
		this.printMessage(
			node === frame.node
				? vscode.l10n.t("Running '{0}' again with the current values of its variables.", title)
				: vscode.l10n.t(
						"'{0}' hasn't run yet, so the node before it, '{1}', will run again. Its outputs will be replaced.",
						frame.title,
						title,
					),
			'console',
		);
		const lost = this.questions.takeSetVariables(node, frame.agent);
		if (lost.length > 0) {
			this.printMessage(vscode.l10n.t('Values that you set will also be replaced: {0}.', lost.join(', ')), 'important');
		}
	}

	/** Tells VS Code that the run continues, unless VS Code has requested that: a reply by hand continues it too. */
	protected reportContinued(): void {
		if (this.stopped) {
			this.sendEvent(new ContinuedEvent(this.stopped.branch, true));
			this.stopped = undefined;
		}
	}

	/** Prints which agent runs, with its inputs. */
	protected printStart(): void {
		this.#printMessages(this.texts ? [formatRunStart(this.texts.run)] : []);
	}

	#printMessages(messages: ReturnType<typeof formatRunEnd>): void {
		for (const { text, category } of messages) {
			this.printMessage(text, category);
		}
	}

	protected sendErrorMessage(response: DebugProtocol.Response, message: string): void {
		// pass the text as a variable, because braces in `format` are placeholders; a name with an underscore is safe for telemetry
		this.sendErrorResponse(response, { id: 1, format: '{_message}', variables: { _message: message }, showUser: false });
	}

	protected async respondWith<R extends DebugProtocol.Response>(response: R, make: () => Promise<R['body']>): Promise<void> {
		try {
			response.body = await make();
		} catch (error) {
			this.sendErrorMessage(response, getRefusal(error));
			return;
		}
		this.sendResponse(response);
	}
}

/** Returns the message of an error. Omits the HTTP status of a refusal, because the gateway's explanation says it all. */
export function getRefusal(error: unknown): string {
	const { status, localizable } = (error ?? {}) as { readonly status?: number; readonly localizable?: LocalizableMessage };
	const said = status === 400 || status === 409 ? localizable?.args.at(-1) : undefined;
	return typeof said === 'object' ? translateMessage(said, vscode.l10n.t) : translateError(error);
}

/** Formats the path of a branch, from the outermost container to the node. */
function formatThreadName(frames: readonly DebugFrame[]): string {
	return frames
		.filter(({ kind }) => kind !== 'agent')
		.map(({ title, round }) => (round === undefined ? title : `${title} [${round + 1}]`))
		.reverse()
		.join(' › ');
}
