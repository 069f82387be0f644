import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { PanelPage } from '#editor/platform/webviewPage.ts';
import { WebviewPages } from '#editor/platform/webviewPages.ts';
import type { Handlers } from '#pages/shared/handlers.ts';
import { PlayedPanel } from '../../../support/editor/playedPanel.ts';

type FromPage = { readonly type: 'ready' | 'add' | 'fail' | 'throw' };

class Counter extends PanelPage<FromPage, number | string> {
	readonly name: string;
	#count = 0;
	protected override readonly handlers: Handlers<FromPage> = {
		ready: () => this.startPage(this.name),
		add: () => {
			this.#count++;
			this.schedule(1, () => this.post(this.#count));
		},
		fail: () => Promise.reject(new Error('failed')),
		throw: () => {
			throw new Error('thrown');
		},
	};

	constructor(panel: vscode.WebviewPanel, name: string, log: Pick<vscode.LogOutputChannel, 'debug' | 'warn'>) {
		const types = ['ready', 'add', 'fail', 'throw'];
		super(panel, { parse: raw => (types.includes((raw as FromPage)?.type) ? (raw as FromPage) : undefined), name: 'Counter', log });
		this.name = name;
	}

	protected override onInvalidMessage(): void {
		this.postWhenReady('refused');
	}
}

class Counters extends WebviewPages<string, Counter> {
	readonly warned: string[] = [];

	constructor() {
		super(vscode.Uri.file('/'), {
			name: 'counter',
			title: 'Counter',
			create: (panel, name) => new Counter(panel, name, { debug: assert.fail, warn: message => void this.warned.push(message) }),
			parseSaved: state => (typeof state === 'string' ? state : undefined),
		});
	}

	open(name: string): Counter {
		return this.openPage(name, page => page.name === name);
	}
}

describe('pages in panels', () => {
	const { window } = vscode as unknown as { window: { createWebviewPanel?: (type: string, title: string) => vscode.WebviewPanel } };
	const { createWebviewPanel } = window;
	const waitUntilSettled = () => new Promise(resolve => setTimeout(resolve, 20));
	let pages: Counters;
	let played: PlayedPanel;
	let made: string[];
	beforeEach(() => {
		pages = new Counters();
		played = new PlayedPanel();
		made = [];
		window.createWebviewPanel = type => {
			made.push(type);
			return new PlayedPanel().panel;
		};
	});
	afterEach(() => {
		pages.dispose();
		Object.assign(window, { createWebviewPanel });
	});
	const listMessages = () => played.messages as unknown[];

	it('sends nothing before the page is ready, and queued messages after the first one', () => {
		pages.restorePanel(played.panel, 'one');
		played.sendFromPage({ type: 'unknown' });
		assert.deepEqual(listMessages(), []);
		played.sendFromPage({ type: 'ready' });
		assert.deepEqual(listMessages(), ['one', 'refused']);
	});

	it('combines scheduled changes, and drops them if the page is hidden first', async () => {
		pages.restorePanel(played.panel, 'one');
		played.sendFromPage({ type: 'ready' });
		played.sendFromPage({ type: 'add' });
		played.sendFromPage({ type: 'add' });
		await waitUntilSettled();
		assert.deepEqual(listMessages(), ['one', 2]);
		played.sendFromPage({ type: 'add' });
		played.hidePanel();
		await waitUntilSettled();
		assert.deepEqual(listMessages(), ['one', 2]);
	});

	it('logs a handler that throws or rejects', async () => {
		pages.restorePanel(played.panel, 'one');
		played.sendFromPage({ type: 'fail' });
		played.sendFromPage({ type: 'throw' });
		await waitUntilSettled();
		assert.deepEqual(pages.warned.toSorted(), ['Counter: failed', 'Counter: thrown']);
	});

	it("reveals the open page of a target, or opens a panel of the page's type", () => {
		pages.restorePanel(played.panel, 'one');
		assert.equal(pages.open('one').name, 'one');
		assert.deepEqual([played.revealed, made], [1, []]);
		pages.open('two');
		assert.deepEqual(made, ['agentWorkbench.counter']);
		played.closePanel();
		pages.open('one');
		assert.equal(made.length, 2);
	});

	it('closes a panel whose state has no target', () => {
		let isClosed = false;
		pages.restorePanel({ dispose: () => (isClosed = true) } as unknown as vscode.WebviewPanel, { name: 1 });
		assert.ok(isClosed);
	});
});
