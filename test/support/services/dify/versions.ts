import { randomUUID } from 'node:crypto';
import type { DifyDeployment } from './difyDeployment.ts';
import type { FakeApp, FakeWorkflow } from './state.ts';

/** Publishes the draft as a version, which the app then uses. Throws Dify's message if there is no draft. */
export function publishVersion(
	fake: DifyDeployment,
	app: FakeApp,
	marked: { readonly name: string; readonly comment: string },
): FakeWorkflow {
	if (!app.draft) {
		throw new Error('No valid workflow found.');
	}
	if (fake.options.edition === 'CLOUD') {
		const triggers = app.draft.graph.nodes.filter(each => each.data.type?.startsWith('trigger-')).length;
		if (triggers > 2) {
			throw new Error('The number of triggers has reached the limit of your subscription.');
		}
	}
	const at = fake.getTime();
	const version: FakeWorkflow = {
		...structuredClone(app.draft),
		id: randomUUID(),
		version: new Date(at * 1000).toISOString().replace('T', ' ').replace('Z', ''),
		markedName: marked.name,
		markedComment: marked.comment,
		createdAt: at,
		updatedAt: at,
	};
	app.versions.push(version);
	app.publishedId = version.id;
	app.updatedAt = at;
	return version;
}

/** Replaces the draft with a version, including its secrets. */
export function restoreVersion(fake: DifyDeployment, app: FakeApp, version: FakeWorkflow): FakeWorkflow {
	const { graph, features, environment, conversation } = structuredClone(version);
	const draft = app.draft ?? version;
	app.draft = { ...draft, graph, features, environment, conversation, version: 'draft', updatedAt: fake.getTime() };
	return app.draft;
}

/** Returns a page of versions, newest first. */
export function createVersionPage(
	app: FakeApp,
	{ page, limit, named }: { page: number; limit: number; named: boolean },
): { items: FakeWorkflow[]; more: boolean } {
	const all = app.versions.filter(each => !named || each.markedName !== '').reverse();
	return { items: all.slice((page - 1) * limit, page * limit), more: all.length > page * limit };
}
