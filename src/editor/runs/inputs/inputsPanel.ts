import * as vscode from 'vscode';
import { getErrorMessage, isCancellation } from '#base/problems.ts';
import { LatestOnly } from '#base/timing/latestOnly.ts';
import { type FromInputs, type FromInputsHost, type InputsTarget, parseInputsMessage } from '#pages/inputs/inputsMessages.ts';
import { getInputsStrings } from '#pages/inputs/inputsStrings.ts';
import type { Handlers } from '#pages/shared/handlers.ts';
import type { FormField } from '#runs/forms/runForm.ts';
import type { RunRecord, Runs } from '#runs/runTypes.ts';
import { getStatusText, joinParts } from '../../platform/runWording.ts';
import { PanelPage } from '../../platform/webviewPage.ts';
import { formatBriefDuration, toOneLine } from '../../platform/wording.ts';
import { askFormLink, chooseLocalFiles } from '../forms/formFiles.ts';
import type { InputRuns } from './inputRuns.ts';

interface InputsPanelParts {
	readonly inputs: InputRuns;
	readonly runs: Runs;
	readonly log: vscode.LogOutputChannel;
}

/** The host's side of a page for an agent's inputs. The page keeps its values even if a run fails. */
export class InputsPanel extends PanelPage<FromInputs, FromInputsHost> {
	readonly target: InputsTarget;
	readonly #parts: InputsPanelParts;
	#fields: readonly FormField[] = [];
	/** Ensures that an older form never replaces a newer one if the file is saved again while it is being read. */
	readonly #latestForm = new LatestOnly();
	/** Key of the last run that the form started. */
	#key: string | undefined;

	constructor(panel: vscode.WebviewPanel, target: InputsTarget, parts: InputsPanelParts) {
		super(panel, { parse: parseInputsMessage, name: 'Inputs form', log: parts.log });
		this.target = target;
		this.#parts = parts;
		panel.title = vscode.l10n.t({
			message: 'Run {0}',
			args: [target.agent],
			comment: ['verb: heading of a form; {0} is the name of an agent'],
		});
		this.register(parts.runs.onDidChange(record => record.key === this.#key && this.#sendRun(record)));
		// the inputs may have changed
		this.register(vscode.workspace.onDidSaveTextDocument(({ uri }) => uri.toString() === target.agentFile && this.#onFileSaved()));
	}

	#onFileSaved(): void {
		if (this.isReady) {
			this.start(this.#sendForm());
		}
	}

	protected override onInvalidMessage(): void {
		// the page waits for a response to every message it sends
		void this.send({
			type: 'problem',
			problem: vscode.l10n.t("Couldn't read the form. Names of inputs can have up to {0} characters.", 1000),
		});
	}

	/** Shows errors in the form. */
	protected override async handleMessage(message: FromInputs): Promise<void> {
		try {
			await super.handleMessage(message);
		} catch (error) {
			void this.send({ type: 'problem', problem: isCancellation(error) ? '' : getErrorMessage(error) });
		}
	}

	protected override readonly handlers: Handlers<FromInputs> = {
		ready: async () => {
			this.startPage();
			await this.#sendForm();
			this.#sendCurrentRun();
		},
		run: async message => {
			const record = await this.#parts.inputs.runForm(this.target, this.#fields, message.given, key => this.#onRunStart(key));
			this.#sendRun(record);
		},
		save: message => this.#parts.inputs.saveForm(this.target, this.#fields, message.given),
		choose: message => this.#chooseFiles(message),
		inspect: message => vscode.commands.executeCommand('agentWorkbench.run.inspect', message.key),
	};

	async #chooseFiles({ field: name, from }: Extract<FromInputs, { type: 'choose' }>): Promise<void> {
		const field = this.#fields.find(each => each.name === name);
		if (field) {
			const files =
				from === 'address'
					? await askFormLink(field)
					: (await chooseLocalFiles(field, from)).map(({ name, size, uri }) => ({ name, size, uri: uri.toString() }));
			if (files.length > 0) {
				void this.send({ type: 'files', field: name, files });
			}
		}
	}

	async #sendForm(): Promise<void> {
		const strings = getInputsStrings(vscode.l10n);
		try {
			await this.#latestForm.run(
				() => this.#parts.inputs.createForm(this.target),
				form => {
					this.#fields = form.fields;
					void this.send({ type: 'form', form, strings });
				},
			);
		} catch (error) {
			void this.send({ type: 'gone', target: this.target, problem: getErrorMessage(error), strings });
		}
	}

	#onRunStart(key: string): void {
		this.#key = key;
		this.#sendCurrentRun();
	}

	#sendCurrentRun(): void {
		const record = this.#parts.runs.get(this.#key ?? '');
		if (record) {
			this.#sendRun(record);
		}
	}

	#sendRun(record: RunRecord): void {
		if (record.key === this.#key) {
			const { key, status, elapsedSeconds, error = '' } = record;
			const took = elapsedSeconds === undefined ? '' : formatBriefDuration(elapsedSeconds * 1000);
			void this.send({ type: 'run', key, text: joinParts(getStatusText(status), took, toOneLine(error, 300)) });
		}
	}
}
