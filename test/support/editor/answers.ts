import * as vscode from 'vscode';

/** A test's input in place of the user's; a quick pick is answered with an item's label. */
export interface Answers {
	/** Labels to choose, in the order of the quick picks; `undefined` cancels; a label in an object presses that item's first button. */
	picks?: Pick[];
	/** Texts for input boxes, in order. */
	texts?: (string | undefined)[];
	/** Files to choose in open dialogs, in order. */
	files?: (vscode.Uri | undefined)[];
	/** Called while a quick pick or an input box is open, before it is answered. */
	meanwhile?: () => unknown;
	/** Button to press in each message; if absent, messages stay open. */
	button?: string;
	/** Buttons to press in messages, in order; `undefined` dismisses one. Later messages get {@link button}. */
	buttons?: (string | undefined)[];
}

type Pick = string | { readonly button: string } | undefined;

/** Everything that was shown during {@link answerDialogs}. */
export interface Shown {
	readonly errors: string[];
	readonly warnings: string[];
	readonly infos: string[];
	/** Validation messages of password inputs. */
	readonly refusals: string[];
	readonly placeHolders: string[];
	/** Details of modal messages. */
	readonly details: string[];
	readonly saves: vscode.SaveDialogOptions[];
}

/**
 * Answers all dialogs of the window during `work`. Password inputs (`createInputBox`) also get their answers from `texts`. `api` selects
 * whose dialogs to answer: by default those of the test's code, otherwise for example those of {@link getInstalledApi}.
 */
export async function answerDialogs(
	answers: Answers,
	work: () => Promise<unknown>,
	api: { readonly window: typeof vscode.window } = vscode,
): Promise<Shown> {
	const shown: Shown = { errors: [], warnings: [], infos: [], refusals: [], placeHolders: [], details: [], saves: [] };
	const picks = [...(answers.picks ?? [])];
	const texts = [...(answers.texts ?? [])];
	const files = [...(answers.files ?? [])];
	const buttons = [...(answers.buttons ?? [])];
	const createMessageRecorder =
		(into: string[]) =>
		async (message: string, ...offered: (string | vscode.MessageOptions)[]) => {
			into.push(message);
			const [options] = offered;
			shown.details.push(...(typeof options === 'object' && options.detail !== undefined ? [options.detail] : []));
			if (buttons.length === 0) {
				return answers.button;
			}
			const button = buttons.shift();
			if (button !== undefined && !offered.includes(button)) {
				throw new Error(`No button “${button}” in “${message}”`);
			}
			return button;
		};
	const undo = [
		replaceWindowMember(
			api.window,
			'showQuickPick',
			async (given: readonly vscode.QuickPickItem[] | Thenable<readonly vscode.QuickPickItem[]>, options?: vscode.QuickPickOptions) => {
				const items = await given;
				shown.placeHolders.push(options?.placeHolder ?? '');
				await answers.meanwhile?.();
				const label = getPickLabel(picks.shift());
				const chosen = items.find(item => item.label === label);
				if (label !== undefined && !chosen) {
					throw new Error(`No item “${label}” among ${items.map(item => item.label).join(', ')}`);
				}
				return options?.canPickMany ? chosen && [chosen] : chosen;
			},
		),
		replaceWindowMember(api.window, 'showInputBox', async (options?: vscode.InputBoxOptions) => {
			const text = texts.shift();
			const wrong = text === undefined ? undefined : await options?.validateInput?.(text);
			if (wrong && (typeof wrong === 'string' || wrong.severity === vscode.InputBoxValidationSeverity.Error)) {
				shown.refusals.push(typeof wrong === 'string' ? wrong : wrong.message);
				return undefined;
			}
			await answers.meanwhile?.();
			return text;
		}),
		replaceWindowMember(api.window, 'showOpenDialog', async () => {
			const file = files.shift();
			return file && [file];
		}),
		replaceWindowMember(api.window, 'createInputBox', () => new AnsweredInput(texts, shown.refusals)),
		replaceWindowMember(api.window, 'createQuickPick', () => new AnsweredPick(picks, shown.placeHolders)),
		replaceWindowMember(api.window, 'showSaveDialog', async (options: vscode.SaveDialogOptions = {}) => {
			shown.saves.push(options);
			return files.shift();
		}),
		replaceWindowMember(api.window, 'showErrorMessage', createMessageRecorder(shown.errors)),
		replaceWindowMember(api.window, 'showWarningMessage', createMessageRecorder(shown.warnings)),
		replaceWindowMember(api.window, 'showInformationMessage', createMessageRecorder(shown.infos)),
	];
	try {
		await work();
	} finally {
		for (const restore of undo) {
			restore();
		}
	}
	return shown;
}

/** An input box that enters the next texts until one is accepted, and cancels if there are no more texts. */
class AnsweredInput {
	title = '';
	prompt = '';
	password = false;
	ignoreFocusOut = false;
	value = '';
	readonly #texts: (string | undefined)[];
	readonly #refusals: string[];
	#busy = false;
	#accept: () => unknown = () => {};
	#hide: () => unknown = () => {};

	constructor(texts: (string | undefined)[], refusals: string[]) {
		this.#texts = texts;
		this.#refusals = refusals;
	}

	get busy(): boolean {
		return this.#busy;
	}
	set busy(busy: boolean) {
		this.#busy = busy;
	}
	set validationMessage(message: { message: string } | undefined) {
		if (message) {
			this.#refusals.push(message.message);
			queueMicrotask(() => this.#enterNextText());
		}
	}
	onDidAccept(accept: () => unknown): void {
		this.#accept = accept;
	}
	onDidHide(hide: () => unknown): void {
		this.#hide = hide;
	}
	onDidChangeValue(): void {}
	show(): void {
		this.#enterNextText();
	}
	dispose(): void {}

	#enterNextText(): void {
		const text = this.#texts.shift();
		if (text === undefined) {
			this.#hide();
		} else {
			this.value = text;
			this.#accept();
		}
	}
}

/** A quick pick in which the next label is typed and chosen. It cancels if there are no more labels. */
class AnsweredPick {
	title = '';
	placeholder = '';
	ignoreFocusOut = false;
	matchOnDescription = false;
	busy = false;
	items: readonly vscode.QuickPickItem[] = [];
	selectedItems: readonly vscode.QuickPickItem[] = [];
	value = '';
	readonly #picks: Pick[];
	readonly #placeHolders: string[];
	#press: (pressed: { item: vscode.QuickPickItem; button: vscode.QuickInputButton }) => unknown = () => {};
	#type: (text: string) => unknown = () => {};
	#accept: () => unknown = () => {};
	#hide: () => unknown = () => {};

	constructor(picks: Pick[], placeHolders: string[]) {
		this.#picks = picks;
		this.#placeHolders = placeHolders;
	}

	onDidTriggerItemButton(press: (pressed: { item: vscode.QuickPickItem; button: vscode.QuickInputButton }) => unknown): void {
		this.#press = press;
	}
	hide(): void {
		this.#hide();
	}

	onDidChangeValue(type: (text: string) => unknown): void {
		this.#type = type;
	}
	onDidAccept(accept: () => unknown): void {
		this.#accept = accept;
	}
	onDidHide(hide: () => unknown): void {
		this.#hide = hide;
	}
	show(): void {
		this.#placeHolders.push(this.placeholder);
		const pick = this.#picks.shift();
		const label = getPickLabel(pick);
		if (label === undefined) {
			this.#hide();
			return;
		}
		const known = this.items.find(item => item.label === label);
		if (!known) {
			this.value = label;
			this.#type(label);
		}
		const button = known?.buttons?.[0];
		if (typeof pick === 'object') {
			if (!known || !button) {
				throw new Error(`No button at “${label}”`);
			}
			this.#press({ item: known, button });
			return;
		}
		this.selectedItems = [known ?? this.items[0]].filter(item => item !== undefined);
		this.#accept();
	}
	dispose(): void {}
}

function getPickLabel(pick: Pick): string | undefined {
	return typeof pick === 'object' ? pick.button : pick;
}

function replaceWindowMember(window: typeof vscode.window, name: keyof typeof vscode.window, by: unknown): () => void {
	const original: unknown = Reflect.get(window, name);
	Reflect.set(window, name, by);
	return () => Reflect.set(window, name, original);
}
