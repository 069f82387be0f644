import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { DatasetStatus } from '#contract/knowledge.ts';
import { reindexKnowledge } from '#editor/agents/files/reindexKnowledge.ts';
import type { Connection, Connections } from '#editor/connections/connectionTypes.ts';

const handbook: DatasetStatus = {
	id: 'handbook',
	name: 'Our handbook',
	kind: 'folder',
	state: 'ready',
	documents: 12,
	waiting: 0,
	failed: 1,
	notes: [],
	problems: [{ path: 'scan.pdf', problem: 'has no text' }],
};

describe('Reindex Knowledge', () => {
	const { showQuickPick, showInformationMessage } = vscode.window;
	let offered: readonly vscode.QuickPickItem[];
	let reported: string[];
	let asked: string[];
	beforeEach(() => {
		[offered, reported, asked] = [[], [], []];
		Object.assign(vscode.window, {
			showQuickPick: async (items: readonly vscode.QuickPickItem[]) => {
				offered = items;
				return items[0];
			},
			showInformationMessage: async (message: string) => void reported.push(message),
		});
	});
	afterEach(() => void Object.assign(vscode.window, { showQuickPick, showInformationMessage }));

	/** Runs the command with a gateway that returns one of these lists of datasets per request. */
	async function reindexDatasets(...looks: readonly (readonly DatasetStatus[])[]): Promise<void> {
		let look = 0;
		const client = {
			listDatasets: async () => looks[Math.min(look++, looks.length - 1)],
			reindexDataset: async (id: string) => void asked.push(id),
		};
		const connections = { getClient: async () => client, toProblem: (_id: string, error: unknown) => error } as unknown as Connections;
		await reindexKnowledge(connections, { id: 'built-in' } as Connection);
	}

	it('lists datasets with their state, reindexes the picked one, and reports when it has finished', async () => {
		await reindexDatasets([handbook], [{ ...handbook, documents: 13, failed: 0 }]);
		assert.deepEqual(
			offered.map(({ label, description, detail }) => [label, description, detail]),
			[['Our handbook', "12 documents, 1 couldn't be read", 'scan.pdf: has no text']],
		);
		assert.deepEqual(asked, ['handbook']);
		assert.deepEqual(reported, ['Our handbook: 13 documents']);
	});

	it('explains where to add folders if there are none', async () => {
		await reindexDatasets([]);
		assert.deepEqual(asked, []);
		assert.match(reported[0] ?? '', /agentWorkbench\.gateway\.knowledge/);
	});
});
