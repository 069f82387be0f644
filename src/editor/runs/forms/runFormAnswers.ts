import * as vscode from 'vscode';
import { type FileSource, type FormAnswerMessage, type FormFile, toSubmittedInputs } from '#runs/forms/formAnswer.ts';
import { createNotAnswerableProblem, explainFormRefusal, type FormRefusal } from '#runs/forms/formOutcome.ts';
import { type RunForm, summarizeForm } from '#runs/forms/runForm.ts';
import { RunForms } from '#runs/forms/runForms.ts';
import type { EventJournals } from '#runs/history/eventJournals.ts';
import type { RunRecord } from '#runs/runTypes.ts';
import type { Connections, PrepareAgent } from '../../connections/connectionTypes.ts';
import type { RunControl } from '../following/runControl.ts';
import type { RunServices } from '../following/runServices.ts';
import { chooseFormFiles } from './formFiles.ts';

/** Submits answers to the forms of paused runs, and then follows the runs again. */
export class RunFormAnswers {
	readonly #connections: Connections;
	readonly #services: RunServices;
	readonly #journals: EventJournals;
	readonly #control: RunControl;
	readonly #prepare: PrepareAgent;

	constructor(connections: Connections, services: RunServices, journals: EventJournals, control: RunControl, prepare: PrepareAgent) {
		this.#services = services;
		this.#prepare = prepare;
		this.#connections = connections;
		this.#journals = journals;
		this.#control = control;
	}

	/** Reads the forms that a run is waiting for. */
	async readForms(record: RunRecord): Promise<readonly RunForm[]> {
		const forms = new RunForms();
		for await (const entry of this.#journals.readEntries(record.key)) {
			forms.applyEntry(entry);
		}
		return forms.findOpenForms(record);
	}

	/** Submits an answer. Returns the reason if the service refused the answer. Rejects if the form can't be answered here. */
	async submitAnswer(record: RunRecord, form: RunForm, answer: FormAnswerMessage): Promise<FormRefusal | undefined> {
		const { connectionId, key, agent, user } = record;
		if (form.token === undefined) {
			throw createNotAnswerableProblem(vscode.l10n, form.title);
		}
		const connection = this.#connections.get(connectionId);
		if (connection) {
			// a restarted gateway doesn't have the secrets that the run needs to continue
			await this.#prepare(connection, agent);
		}
		try {
			const service = await this.#services.getService(record);
			await service.submitForm(form.token, { model: agent, inputs: toSubmittedInputs(form, answer), action: answer.action, user });
		} catch (error) {
			const refusal = explainFormRefusal(vscode.l10n, error, given => this.#services.toProblem(record, given));
			if (refusal.closed) {
				this.#control.continueRun(key);
			}
			return refusal;
		}
		const title = form.actions.find(({ id }) => id === answer.action)?.title ?? answer.action;
		this.#control.onFormAnswered(key, summarizeForm(form), title);
		return undefined;
	}

	/** Lets the user choose files for a field, and uploads local files. */
	async chooseFiles(record: RunRecord, form: RunForm, field: string, from: FileSource): Promise<FormFile[]> {
		const { user, agent } = record;
		const wanted = form.inputs.find(({ name }) => name === field);
		if (!wanted) {
			return [];
		}
		try {
			return await chooseFormFiles(wanted, from, async file =>
				(await this.#services.getService(record)).uploadFile(file, { user, model: agent }),
			);
		} catch (error) {
			throw this.#services.toProblem(record, error);
		}
	}
}
