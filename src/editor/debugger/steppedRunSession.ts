import type { DebugProtocol } from '@vscode/debugprotocol';
import * as vscode from 'vscode';
import type { DebugCommand } from '#contract/debugging.ts';
import type { DebugHost, PastStep } from './debuggedRun.ts';
import { getNotPausedMessage } from './debugQuestions.ts';
import { confirmDiscard, getChangeMessage } from './pastChanges.ts';
import { getRefusal, PausedRunSession } from './pausedRunSession.ts';
import { createStoppedEvent, type ReportedStop } from './stoppedEvent.ts';
import { IdCounter, StoppedRun } from './stoppedRun.ts';

/** How a branch is stepped. */
export type StepKind = (DebugCommand & { command: 'step' })['how'];

/** Milliseconds between keep-alive commands. The gateway ends a paused run whose client sends none. */
const pingMs = 15_000;

/** Shows where a run is paused, now or in the past, and moves it from there. */
export abstract class SteppedRunSession extends PausedRunSession {
	protected readonly host: DebugHost;
	/** Step to take at the first stop, which is the entry of the run. */
	protected stepOnEntry: StepKind | undefined;
	readonly #numbers = new IdCounter();
	#past: PastStep | undefined;
	/** The stop that was left last. */
	#left: ReportedStop | undefined;
	#ping: NodeJS.Timeout | undefined;
	#isEnded = false;

	constructor(host: DebugHost) {
		super();
		this.host = host;
	}

	/** True if the session has ended. */
	protected get isEnded(): boolean {
		return this.#isEnded;
	}

	protected override continueRequest(response: DebugProtocol.ContinueResponse): void {
		response.body = { allThreadsContinued: true };
		this.#leaveStop(response, { command: 'continue' });
	}

	protected override nextRequest(response: DebugProtocol.NextResponse, { threadId: branch }: DebugProtocol.NextArguments): void {
		this.#leaveStop(response, { command: 'step', branch, how: 'over' });
	}

	protected override stepInRequest(response: DebugProtocol.StepInResponse, { threadId: branch }: DebugProtocol.StepInArguments): void {
		this.#leaveStop(response, { command: 'step', branch, how: 'into' });
	}

	protected override stepOutRequest(response: DebugProtocol.StepOutResponse, { threadId: branch }: DebugProtocol.StepOutArguments): void {
		this.#leaveStop(response, { command: 'step', branch, how: 'out' });
	}

	protected override restartFrameRequest(
		response: DebugProtocol.RestartFrameResponse,
		{ frameId }: DebugProtocol.RestartFrameArguments,
	): void {
		const place = this.stopped?.findFrame(frameId);
		if (place && this.canRestartFrame(place)) {
			if (!this.#past) {
				this.printRestart(place);
			}
			this.#leaveStop(response, { command: 'restart', branch: place.branch });
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
		this.#leaveStop(response, { command: 'step_back', branch });
	}

	protected override reverseContinueRequest(response: DebugProtocol.ReverseContinueResponse): void {
		this.#leaveStop(response, { command: 'reverse' });
	}

	/**
	 * Returns from an earlier step to where the run is paused. Asks first if that discards changes. Does nothing in the present, because the
	 * gateway would report no stop.
	 */
	async returnToPresent(): Promise<void> {
		if (this.#past && (await confirmDiscard(this.#past))) {
			this.stopped = undefined;
			await this.link.sendCommand({ command: 'present' });
		}
	}

	/** Shows the stop that was left last again, unless the run has moved on. */
	showStopAgain(): void {
		if (this.#left && !this.stopped && !this.#isEnded) {
			this.showStop(this.#left);
		}
	}

	protected showStop(stop: ReportedStop): void {
		const { reason, branch, branches, past } = stop;
		const step = this.stepOnEntry;
		if (step && reason === 'entry') {
			this.stepOnEntry = undefined;
			this.#left = stop;
			void this.#sendMove({ command: 'step', branch, how: step });
			return;
		}
		// IDs in the past belong to one step
		const before = past?.step === this.#past?.step ? this.stopped : undefined;
		// update in place, because VS Code keeps IDs of frames and values, and the user may be editing a value
		before?.updateBranches(branches, branch);
		this.stopped = before ?? new StoppedRun(branches, branch, this.#numbers);
		// after a change the focus is moved there again, because VS Code has lost it with the frames
		const isUpdate = before !== undefined && past?.changes === this.#past?.changes;
		if (past?.changes === 1 && !this.#past?.changes) {
			this.printMessage(getChangeMessage(), 'important');
		}
		this.#showPast(past);
		this.sendEvent(createStoppedEvent(stop, isUpdate));
		const [frame] = this.stopped.findBranch(branch)?.frames ?? [];
		const { places } = this.stopped;
		const later = past?.later;
		this.texts?.run.showPausedAt({ id: frame?.node ?? '', title: frame?.title ?? '', places, ...(later && { later }) });
		// ignore failures: if a ping is too late, the gateway ends the session
		this.#ping ??= setInterval(() => void this.link.sendCommand({ command: 'ping' }).catch(() => undefined), pingMs);
	}

	/** Shows the run as running. */
	protected forgetStop(): void {
		this.#left = undefined;
		this.#showPast(undefined);
		this.texts?.run.showPausedAt(undefined);
	}

	/** Shows no more stops. */
	protected endStops(): void {
		this.#isEnded = true;
		this.stopped = undefined;
		clearInterval(this.#ping);
		this.forgetStop();
	}

	protected printError(error: unknown): void {
		if (!this.#isEnded) {
			this.printMessage(getRefusal(error), 'stderr');
		}
	}

	/** Moves from a stop. Responds to VS Code before sending the command, because the next stop may arrive before the gateway's response. */
	#leaveStop(response: DebugProtocol.Response, command: DebugCommand): void {
		const before = this.stopped;
		if (!before) {
			this.sendErrorMessage(response, getNotPausedMessage());
			return;
		}
		this.#left = { reason: 'pause', branch: before.branch, branches: before.branches, ...(this.#past && { past: this.#past }) };
		this.stopped = undefined;
		this.sendResponse(response);
		void this.#sendMove(command);
	}

	/** Sends a command, or starts a fork instead if the shown step was changed. Shows the stop again if neither happens. */
	async #sendMove(command: DebugCommand): Promise<void> {
		const isForward = command.command === 'continue' || command.command === 'step';
		try {
			if (isForward && this.#past?.changes) {
				const { part } = await this.link.sendCommand({ command: 'fork' });
				if (await this.host.startFork(part, command.command === 'step' ? command.how : undefined)) {
					return;
				}
			} else if (command.command === 'restart' || (await confirmDiscard(this.#past))) {
				await this.link.sendCommand(command);
				return;
			}
		} catch (error) {
			this.printError(error);
		}
		this.showStopAgain();
	}

	/** Shows whether the session is at an earlier step of the run. */
	#showPast(past: PastStep | undefined): void {
		this.#past = past;
		this.host.onDidChangePast(past);
	}
}
