import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import { isCancellation, messageOf } from '#base/problems.ts';
import { LatestOnly } from '#base/timing/latestOnly.ts';
import { type FromInputs, parseInputsMessage } from '#pages/inputs/inputsMessages.ts';
import type { FromInputsHost, InputsTarget } from '#pages/inputs/inputsProtocol.ts';
import { inputsStrings } from '#pages/inputs/inputsStrings.ts';
import type { FormField } from '#runs/forms/runForm.ts';
import type { RunRecord, Runs } from '#runs/runTypes.ts';
import { background } from '../../platform/background.ts';
import { join, statusText } from '../../platform/runWording.ts';
import { durationText, oneLine } from '../../platform/wording.ts';
import { askFormLink, chooseLocalFiles } from '../forms/formFiles.ts';
import type { InputRuns } from './inputRuns.ts';

/** What a form for inputs needs. */
export interface InputsPanelParts {
	readonly inputs: InputRuns;
	readonly runs: Runs;
	readonly log: vscode.LogOutputChannel;
}

/** Joins one webview panel to the inputs of one agent. What is filled in stays with the page, whatever comes of a run. */
export class InputsPanel extends DisposableBase {
	readonly target: InputsTarget;
	readonly #panel: vscode.WebviewPanel;
	readonly #parts: InputsPanelParts;
	#fields: readonly FormField[] = [];
	/** A file that is saved again while its form is read: the older form does not come after the newer one. */
	readonly #asked = new LatestOnly();
	#ready = false;
	/** Key of the run that the form began last. */
	#key: string | undefined;

	constructor(panel: vscode.WebviewPanel, target: InputsTarget, parts: InputsPanelParts) {
		super();
		this.target = target;
		this.#panel = panel;
		this.#parts = parts;
		panel.title = vscode.l10n.t('Run {0}', target.agent);
		this.own(panel.webview.onDidReceiveMessage(message => this.#receive(message)));
		this.own(
			panel.onDidChangeViewState(() => {
				this.#ready &&= panel.visible;
			}),
		);
		this.own(parts.runs.onDidChange(record => record.key === this.#key && this.#tell(record)));
		// the inputs may be others now
		this.own(vscode.workspace.onDidSaveTextDocument(({ uri }) => uri.toString() === target.agentFile && this.#refresh()));
	}

	reveal(): void {
		this.#panel.reveal();
	}

	#refresh(): void {
		if (this.#ready) {
			background(this.#sendForm(), this.#parts.log, 'Form for inputs');
		}
	}

	#receive(raw: unknown): void {
		const message = parseInputsMessage(raw);
		if (message) {
			background(this.#handle(message), this.#parts.log, 'Form for inputs');
		} else {
			// the page waits for a word on what it has sent
			this.#post({ type: 'problem', problem: vscode.l10n.t('This is more than a form takes: names have at most {0} characters.', 1000) });
		}
	}

	/** What fails is told where the form stands. */
	async #handle(message: FromInputs): Promise<void> {
		try {
			await this.#do(message);
		} catch (error) {
			this.#post({ type: 'problem', problem: isCancellation(error) ? '' : messageOf(error) });
		}
	}

	async #do(message: FromInputs): Promise<void> {
		const { inputs } = this.#parts;
		switch (message.type) {
			case 'ready': {
				this.#ready = true;
				await this.#sendForm();
				const record = this.#parts.runs.get(this.#key ?? '');
				return record && this.#tell(record);
			}
			case 'run': {
				const record = await inputs.run(this.target, this.#fields, message.given, key => this.#began(key));
				return this.#tell(record);
			}
			case 'save':
				return inputs.save(this.target, this.#fields, message.given);
			case 'choose':
				return this.#choose(message);
			case 'inspect':
				await vscode.commands.executeCommand('agentWorkbench.run.inspect', message.key);
		}
	}

	async #choose({ field: name, from }: Extract<FromInputs, { type: 'choose' }>): Promise<void> {
		const field = this.#fields.find(each => each.name === name);
		if (field) {
			const files =
				from === 'address'
					? await askFormLink(field)
					: (await chooseLocalFiles(field, from)).map(({ name, size, uri }) => ({ name, size, uri: uri.toString() }));
			if (files.length > 0) {
				this.#post({ type: 'files', field: name, files });
			}
		}
	}

	async #sendForm(): Promise<void> {
		const strings = inputsStrings(vscode.l10n);
		try {
			await this.#asked.run(
				() => this.#parts.inputs.form(this.target),
				form => {
					this.#fields = form.fields;
					this.#post({ type: 'form', form, strings });
				},
			);
		} catch (error) {
			this.#post({ type: 'gone', target: this.target, problem: messageOf(error), strings });
		}
	}

	#began(key: string): void {
		this.#key = key;
		const record = this.#parts.runs.get(key);
		if (record) {
			this.#tell(record);
		}
	}

	#tell(record: RunRecord): void {
		if (record.key === this.#key) {
			const { key, status, elapsedSeconds, error = '' } = record;
			const took = elapsedSeconds === undefined ? '' : durationText(elapsedSeconds * 1000);
			this.#post({ type: 'run', key, text: join(statusText(status), took, oneLine(error, 300)) });
		}
	}

	#post(message: FromInputsHost): void {
		if (!this.disposed) {
			void this.#panel.webview.postMessage(message);
		}
	}
}
