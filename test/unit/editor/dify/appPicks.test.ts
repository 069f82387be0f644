import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { DifyApp } from '#client/dify/management.ts';
import { type AppPick, pickApps } from '#editor/dify/appPicks.ts';
import { answerDialogs } from '../../../support/editor/answers.ts';
import { waitUntil } from '../../../support/waitUntil.ts';

/** A quick pick that the test operates like a user. */
class PlayedPick {
	title: string | undefined;
	placeholder: string | undefined;
	canSelectMany = false;
	busy = false;
	value = '';
	items: readonly vscode.QuickPickItem[] = [];
	selectedItems: readonly vscode.QuickPickItem[] = [];
	isShown = false;
	readonly #typed: (() => unknown)[] = [];
	readonly #accepted: (() => unknown)[] = [];
	readonly #hidden: (() => unknown)[] = [];

	onDidChangeValue(act: () => unknown): void {
		this.#typed.push(act);
	}
	onDidAccept(act: () => unknown): void {
		this.#accepted.push(act);
	}
	onDidHide(act: () => unknown): void {
		this.#hidden.push(act);
	}
	show(): void {
		this.isShown = true;
	}
	hide(): void {
		for (const act of this.#hidden) {
			act();
		}
	}
	dispose(): void {}

	get labels(): string[] {
		return this.items.map(({ label }) => label);
	}
	type(text: string): void {
		this.value = text;
		for (const act of this.#typed) {
			act();
		}
	}
	tickItem(label: string): void {
		this.selectedItems = [...this.selectedItems, ...this.items.filter(item => item.label === label)];
	}
	accept(): void {
		for (const act of this.#accepted) {
			act();
		}
	}
}

describe('selecting apps of a deployment', () => {
	const asked: { readonly page: number; readonly name?: string }[] = [];
	let apps: DifyApp[];
	let away: Error | undefined;
	let box: PlayedPick;
	const window = vscode.window as unknown as { createQuickPick: unknown };
	const { createQuickPick } = window;
	const deployments = {
		loadAppPage: async (_id: string, query: { readonly page: number; readonly name?: string }) => {
			asked.push(query);
			if (away) {
				throw away;
			}
			const fitting = apps.filter(({ name }) => name.includes(query.name ?? ''));
			return { apps: fitting.slice(0, 100), page: query.page, total: fitting.length, hasMore: fitting.length > 100 };
		},
	};
	const createApp = (name: string): DifyApp => ({ id: name, name, description: '', mode: 'workflow', updatedAt: undefined });
	const pickTestApps = (more: Partial<AppPick> = {}) =>
		pickApps(deployments, { connectionIds: ['dify'], placeHolder: 'App', describeApp: () => ({}), ...more });
	const listNames = async (picked: Promise<readonly { readonly app: DifyApp }[]>) => (await picked).map(of => of.app.name);

	beforeEach(() => {
		asked.length = 0;
		away = undefined;
		box = new PlayedPick();
		window.createQuickPick = () => box;
	});
	afterEach(() => {
		window.createQuickPick = createQuickPick;
	});

	it('loads a small workspace in one page, and shows names on one line without icons', async () => {
		apps = [createApp('b'), createApp('$(trash) a\n\u202ethe rest')];
		let picked: Promise<string[]> | undefined;
		await answerDialogs({ picks: ['\\$(trash) a'] }, () => (picked = listNames(pickTestApps())));
		assert.deepEqual(await picked, ['$(trash) a\n\u202ethe rest']);
		assert.deepEqual(asked, [{ page: 1 }]);
	});

	it('searches a large workspace by the typed name, and keeps selected apps', async () => {
		apps = Array.from({ length: 100_000 }, (_, n) => createApp(`app ${n}`));
		const picked = listNames(pickTestApps({ many: true }));
		await waitUntil('it is shown', () => box.isShown);
		assert.equal(box.items.length, 100);
		box.tickItem('app 3');
		box.type('app 4');
		box.type('app 77777');
		await waitUntil('it is found', () => box.labels.includes('app 77777'));
		assert.deepEqual(box.labels, ['app 3', 'app 77777']);
		box.tickItem('app 77777');
		box.accept();
		assert.deepEqual(await picked, ['app 3', 'app 77777']);
		assert.deepEqual(asked, [{ page: 1 }, { page: 1, name: 'app 77777' }]);
	});

	it('returns nothing if the user cancels, and rejects if the search fails', async () => {
		apps = Array.from({ length: 200 }, (_, n) => createApp(`app ${n}`));
		const left = listNames(pickTestApps());
		await waitUntil('it is shown', () => box.isShown);
		box.hide();
		assert.deepEqual(await left, []);
		box = new PlayedPick();
		const failed = assert.rejects(pickTestApps(), /went away/);
		await waitUntil('it is shown', () => box.isShown);
		away = new Error('It went away');
		box.type('x');
		await failed;
	});
});
