import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { ServiceClient } from '#client/client.ts';
import type { DatasetStatus } from '#contract/knowledge.ts';
import type { Connection, Connections } from '../../connections/connectionTypes.ts';
import { withoutLinks } from '../../platform/wording.ts';

/** Between two looks at how far a dataset is. */
const lookMs = 1_000;

/** Shows the datasets of the built-in gateway and how far each is, and has the one that is picked read anew, with its progress. */
export async function reindexKnowledge(connections: Connections, { id }: Connection): Promise<void> {
	try {
		const client = await connections.client(id);
		const dataset = await pick(await client.listDatasets());
		if (dataset) {
			await client.reindexDataset(dataset.id);
			await follow(client, dataset);
		}
	} catch (error) {
		throw connections.problem(id, error);
	}
}

async function pick(datasets: readonly DatasetStatus[]): Promise<DatasetStatus | undefined> {
	if (datasets.length === 0) {
		void vscode.window.showInformationMessage(
			vscode.l10n.t('The built-in gateway searches no documents. Name a folder of them in the setting agentWorkbench.gateway.knowledge.'),
		);
		return undefined;
	}
	const items = datasets.map(dataset => ({
		label: dataset.name,
		description: wordsOf(dataset),
		detail: [...dataset.notes, ...dataset.problems.map(({ path, problem }) => `${path}: ${problem}`)].slice(0, 3).join(' · '),
		dataset,
	}));
	const choice = await vscode.window.showQuickPick(items, {
		title: vscode.l10n.t('Reindex knowledge'),
		placeHolder: vscode.l10n.t('Dataset whose documents are read anew'),
	});
	return choice?.dataset;
}

/** Until all is read, or nobody wants to see it any more: that ends nothing in the gateway. */
async function follow(client: ServiceClient, { id, name }: DatasetStatus): Promise<void> {
	const title = withoutLinks(vscode.l10n.t('Reading the documents of {0}', name));
	await vscode.window.withProgress(
		{ location: vscode.ProgressLocation.Notification, title, cancellable: true },
		async (progress, token) => {
			while (!token.isCancellationRequested) {
				const status = (await client.listDatasets()).find(dataset => dataset.id === id);
				if (status?.state !== 'indexing') {
					void vscode.window.showInformationMessage(withoutLinks(status ? `${name}: ${wordsOf(status)}` : name));
					return;
				}
				progress.report({ message: wordsOf(status) });
				await delay(lookMs);
			}
		},
	);
}

function wordsOf({ kind, state, documents = 0, waiting = 0, failed = 0 }: DatasetStatus): string {
	if (kind === 'dify') {
		return vscode.l10n.t('on a Dify deployment');
	}
	if (state === 'failed') {
		return vscode.l10n.t('cannot be searched');
	}
	const counts = vscode.l10n.t('{0} documents', documents);
	const more = [
		...(waiting > 0 ? [vscode.l10n.t('{0} still to be read', waiting)] : []),
		...(failed > 0 ? [vscode.l10n.t('{0} could not be read', failed)] : []),
	];
	return [counts, ...more].join(', ');
}
