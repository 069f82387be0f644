import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { chooseModels } from '#editor/assistant/models/chooseModels.ts';
import type { ChosenModel } from '#editor/assistant/models/chosenModel.ts';
import type { ChosenModels } from '#editor/assistant/models/chosenModels.ts';
import { Targets } from '#editor/chat/targets.ts';
import type { Connections } from '#editor/connections/connectionTypes.ts';

/** A fake quick pick that calls the test when it has items and each time it is shown. */
class PlayedPick {
	items: readonly (vscode.QuickPickItem & { model?: ChosenModel })[] = [];
	selectedItems: readonly vscode.QuickPickItem[] = [];
	name: (event: { item: vscode.QuickPickItem }) => unknown = () => {};
	accept: () => unknown = () => {};
	hide: () => unknown = () => {};
	readonly #acts: ((pick: PlayedPick) => unknown)[];

	constructor(...acts: ((pick: PlayedPick) => unknown)[]) {
		this.#acts = acts;
	}
	set busy(busy: boolean) {
		if (!busy) {
			queueMicrotask(() => this.#acts.shift()?.(this));
		}
	}
	show(): void {
		if (this.items.length > 0) {
			queueMicrotask(() => this.#acts.shift()?.(this));
		}
	}
	onDidTriggerItemButton(name: PlayedPick['name']): void {
		this.name = name;
	}
	onDidAccept(accept: () => unknown): void {
		this.accept = accept;
	}
	onDidHide(hide: () => unknown): void {
		const before = this.hide;
		this.hide = () => {
			before();
			hide();
		};
	}
	dispose(): void {
		this.hide();
	}
	item(label: string): vscode.QuickPickItem {
		const item = this.items.find(each => each.label === label);
		assert.ok(item, `${label} is among ${this.items.map(each => each.label).join(', ')}`);
		return item;
	}
}

describe("choosing models for VS Code's chat", () => {
	const connections = {
		list: () => [
			{ id: 'a', name: 'A', kind: 'anthropic', user: 'u' },
			{ id: 'o', name: 'O', kind: 'openai', user: 'u' },
			{ id: 'b', name: 'B', kind: 'anthropic', user: 'u' },
		],
		get: (id: string) => (id === 'gone' ? undefined : { id }),
		toProblem: (_id: string, error: unknown) => error,
		getClient: async (id: string) => {
			if (id === 'b') {
				throw new Error('B is out of reach');
			}
			return {
				listMessagesModels: async () => [
					{ id: `${id}1`, max_input_tokens: 5000, max_tokens: 400 },
					{ id: `${id}2`, context_length: 99 },
				],
			};
		},
	} as unknown as Connections;
	const before: ChosenModel[] = [
		{ connection: 'a', endpoint: 'messages', model: 'a1', name: 'Mine' },
		{ connection: 'b', endpoint: 'messages', model: 'b1' },
		{ connection: 'gone', endpoint: 'messages', model: 'g' },
	];
	const playChooseModels = async (pick: PlayedPick, name = '', notified: () => Promise<void> = async () => undefined) => {
		let saved: readonly ChosenModel[] | undefined;
		const { window, commands } = vscode;
		const undo = [
			replaceFunction(window, 'createQuickPick', () => pick),
			replaceFunction(window, 'showInputBox', async () => name),
			replaceFunction(window, 'showInformationMessage', notified),
			replaceFunction(commands, 'getCommands', async () => []),
		];
		try {
			const chosen = {
				listModels: () => before,
				saveModels: async (models: readonly ChosenModel[]) => {
					saved = models;
				},
			} as unknown as ChosenModels;
			await chooseModels(connections, new Targets(connections, vscode.l10n), chosen);
		} finally {
			undo.forEach(restore => void restore());
		}
		return saved;
	};

	it('selects the chosen models at first, even if no service lists them, and keeps them unchanged', async () => {
		const pick = new PlayedPick(shown => shown.accept());
		assert.deepEqual(await playChooseModels(pick), before);
		const separators = pick.items.filter(({ kind }) => kind === vscode.QuickPickItemKind.Separator).map(({ label }) => label);
		assert.deepEqual(separators, ['A', 'O', 'B', 'B is out of reach']);
	});

	it('saves the limits that services report, and the given names', async () => {
		const pick = new PlayedPick(
			shown => shown.name({ item: shown.item('o2') }),
			shown => {
				shown.selectedItems = [shown.item('Other'), shown.item('a2'), shown.item('o1')];
				shown.accept();
			},
		);
		assert.deepEqual(await playChooseModels(pick, ' Other '), [
			{ connection: 'o', endpoint: 'chatCompletions', model: 'o2', maxInputTokens: 99, name: 'Other' },
			{ connection: 'a', endpoint: 'messages', model: 'a2', maxInputTokens: 99 },
			{ connection: 'o', endpoint: 'chatCompletions', model: 'o1', maxInputTokens: 5000, maxOutputTokens: 400 },
		]);
	});

	it('closes its list on Enter, while the notification is still open', async () => {
		const pick = new PlayedPick(shown => shown.accept());
		let isHidden = false;
		let hiddenBefore: boolean | undefined;
		pick.onDidHide(() => {
			isHidden = true;
		});
		await playChooseModels(pick, '', async () => {
			hiddenBefore = isHidden;
		});
		assert.equal(hiddenBefore, true);
	});

	it('changes nothing if the user cancels', async () => {
		assert.equal(await playChooseModels(new PlayedPick(shown => shown.hide())), undefined);
	});

	it('ends if the user cancels before every service has responded', async () => {
		const undo = replaceFunction(connections, 'getClient', () => new Promise(() => {}));
		const pick = new PlayedPick();
		const shown = playChooseModels(pick);
		await new Promise(resolve => setImmediate(resolve));
		pick.hide();
		assert.equal(await shown, undefined);
		assert.deepEqual(pick.items, []);
		undo();
	});
});

function replaceFunction(of: object, name: string, by: unknown): () => boolean {
	const original: unknown = Reflect.get(of, name);
	Reflect.set(of, name, by);
	return () => Reflect.set(of, name, original);
}
