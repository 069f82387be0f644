import { randomUUID } from 'node:crypto';
import path from 'node:path';
import type { WorkflowRunRequest } from '#contract/workflows.ts';
import { ChannelLines } from '#runs/channel/channelLines.ts';
import { HeldStarts } from '#runs/channel/heldStarts.ts';
import { JoinedTexts } from '#runs/channel/joinedTexts.ts';
import type { JournalEntry } from '#runs/events/journalEntry.ts';
import { RunFollower } from '#runs/following/runFollower.ts';
import { RunForms } from '#runs/forms/runForms.ts';
import { readRecordingSettings } from '#runs/recordings/recordedFile.ts';
import type { RunRecord } from '#runs/runTypes.ts';
import type { GivenArguments } from '../arguments/givenArguments.ts';
import { type ExitCode, exitCodes, getWorstExitCode } from '../cliFault.ts';
import type { Interrupt } from '../interrupt.ts';
import { colorRunLine, printLine, toJsonLine, toPlainLine, writeOutput } from '../output.ts';
import { closeCommandRecording, isReplayed, openCommandRecording } from '../service/openCommandRecording.ts';
import { openService, type Service } from '../service/openService.ts';
import { FormAnswers } from './formAnswers.ts';
import { createRunRequest, readRunOperand } from './runRequest.ts';

/**
 * `agent-workbench run`: prints events of the run to standard error, like the editor's output channel, and the outputs as JSON to standard
 * output.
 */
export async function runAgent(given: GivenArguments, interrupt: Interrupt): Promise<ExitCode> {
	const operand = readRunOperand(given.operands[0]!);
	const answers = new FormAnswers(given.getValues('answer'), given.getValues('field'));
	const service = await openService(given, operand.file === undefined ? [] : [operand.file], interrupt);
	try {
		const recorded = { file: operand.file, settings: readRecordingSettings(operand.text) };
		const isReplay = service.isBuiltIn && isReplayed(given, recorded, process.env);
		const { request, secrets } = await createRunRequest(operand, given.getValues('input'), service, isReplay);
		if (interrupt.signal.aborted) {
			return exitCodes.interrupted;
		}
		const names = { connection: service.name, file: operand.file && path.basename(operand.file) };
		const recording = await openCommandRecording(given, service, recorded, process.env);
		const body = { ...request, ...(recording && { recording: recording.createUse({}, secrets) }) };
		let code: ExitCode;
		try {
			code = await new CommandRun(body, service, names, answers, given).followRun(interrupt);
		} catch (error) {
			await recording?.finish().catch(() => undefined);
			throw error;
		}
		if (!interrupt.signal.aborted) {
			recording?.completePlace({});
		}
		return getWorstExitCode([code, recording ? await closeCommandRecording(recording) : exitCodes.passed]);
	} finally {
		await service.close();
	}
}

/** One run from its request to its end, including its forms. */
class CommandRun {
	readonly #request: WorkflowRunRequest;
	readonly #service: Service;
	readonly #answers: FormAnswers;
	readonly #given: GivenArguments;
	readonly #lines: ChannelLines;
	readonly #texts = new JoinedTexts();
	readonly #starts = new HeldStarts((owner, texts) => this.#printLine(this.#texts.add(owner, texts)));
	readonly #forms = new RunForms();
	#record: RunRecord;
	#failure: unknown;

	constructor(
		request: WorkflowRunRequest,
		service: Service,
		names: { readonly connection: string; readonly file: string | undefined },
		answers: FormAnswers,
		given: GivenArguments,
	) {
		this.#request = request;
		this.#service = service;
		this.#answers = answers;
		this.#given = given;
		const { model: agent, user, response_mode: mode } = request;
		this.#record = { key: randomUUID(), connectionId: '', agent, user, mode, startedAt: Date.now(), status: 'starting' };
		this.#lines = new ChannelLines(() => this.#record, names);
	}

	async followRun({ signal }: Interrupt): Promise<ExitCode> {
		let follower = this.#createFollower();
		signal.addEventListener('abort', () => follower.stop());
		await follower.start(this.#request);
		while (this.#record.status === 'paused' && !signal.aborted && (await this.#answerForms(signal))) {
			follower = this.#createFollower();
			await follower.resumeFollowing(this.#record, { events: this.#record.events ?? 0, forms: new RunForms() });
		}
		await this.#showRunEnd();
		if (signal.aborted) {
			return exitCodes.interrupted;
		}
		if (this.#failure !== undefined) {
			throw this.#failure;
		}
		return this.#getExitCode();
	}

	#createFollower(): RunFollower {
		const { client, isBuiltIn } = this.#service;
		return new RunFollower({
			connect: async () => client,
			observer: {
				onEntry: entry => this.#showJournalEntry(entry),
				changeRecord: patch => {
					this.#record = { ...this.#record, ...patch };
				},
				onFailed: error => {
					this.#failure = error;
				},
			},
			...(isBuiltIn && {
				stream: (body: WorkflowRunRequest, options: { signal: AbortSignal }) => client.streamDraft(body, options),
			}),
		});
	}

	#showJournalEntry(entry: JournalEntry): void {
		this.#forms.applyEntry(entry);
		if (this.#given.has('json')) {
			process.stdout.write(toJsonLine(entry));
		} else {
			const { key } = this.#record;
			this.#printLine(this.#texts.add(key, this.#starts.filterTexts(key, this.#lines.formatEntry(entry))));
		}
	}

	/** Answers the open forms. Returns true if all were answered, so that the run continues. */
	async #answerForms(signal: AbortSignal): Promise<boolean> {
		const open = this.#forms.open;
		for (const form of open) {
			const answer = await this.#answers.getNextAnswer(form, signal);
			if (!answer) {
				return false;
			}
			const { model, user } = this.#request;
			await this.#service.client.submitForm(answer.token, { model, user, inputs: answer.inputs, action: answer.action });
			this.#forms.removeAnsweredForm(form.id);
		}
		return open.length > 0;
	}

	async #showRunEnd(): Promise<void> {
		this.#starts.dropRun(this.#record.key);
		if (this.#given.has('json')) {
			return;
		}
		const { outputs } = this.#record;
		// the outputs are printed to standard output instead
		this.#record = { ...this.#record, outputs: null };
		this.#printLine(this.#texts.add(this.#record.key, this.#lines.formatRunEnd(Date.now())));
		if (outputs) {
			await writeOutput(toJsonLine(outputs, 2));
		}
	}

	#printLine(text: string): void {
		process.stderr.write(text.split('\n').map(colorRunLine).join('\n'));
	}

	#getExitCode(): ExitCode {
		const { status } = this.#record;
		if (status === 'succeeded' || status === 'partial-succeeded') {
			return exitCodes.passed;
		}
		if (status === 'paused') {
			this.#printPendingForms();
		}
		// for a lost run, the service became unreachable
		return status === 'lost' ? exitCodes.unreached : exitCodes.checkFailed;
	}

	/** Prints a description of the forms that the run is waiting for, and how to answer them. */
	#printPendingForms(): void {
		for (const { title, actions, inputs, token } of this.#forms.open) {
			const names = actions.map(({ id }) => id).join(', ');
			const fields = inputs.length === 0 ? '' : `; fields: ${inputs.map(({ name }) => name).join(', ')}`;
			printLine(toPlainLine(`The run is waiting for input: form '${title}'${token === undefined ? '' : ` (actions: ${names}${fields})`}.`));
		}
		const again = 'To answer it, run it again in a terminal, or with --answer ACTION and --field NAME=VALUE';
		if (!this.#service.isBuiltIn) {
			printLine(`It stays paused at ${this.#service.name}.`);
		} else if (this.#given.has('data')) {
			const data = this.#given.getValue('data');
			printLine(`It's stored in ${data} and can be answered over HTTP while "agent-workbench serve --data ${data}" runs. ${again}.`);
		} else {
			printLine(`The run ends with this command because its data folder is temporary. ${again}. To keep the run, add --data DIR.`);
		}
	}
}
