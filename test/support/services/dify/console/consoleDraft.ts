import { storeDraft } from '../appDraft.ts';
import { type Exchange, getBodyFields, getBodyText, getQueryInteger, Refusal, Reply } from '../exchange.ts';
import type { Release } from '../releases.ts';
import { computeConsoleHash, type FakeApp, type FakeGraph, type FakeVariable, type FakeWorkflow, type Fields } from '../state.ts';
import { exportVariables, hiddenMask, hiddenValue, maskVariables, mergeVariables, parseVariable } from '../variables.ts';
import { createVersionPage, publishVersion, restoreVersion } from '../versions.ts';
import type { ConsoleRoute } from './consoleSurface.ts';

const modes = ['workflow', 'advanced-chat'];

/** Creates the routes of the browser's editor: drafts, publishing and versions. */
export function createDraftRoutes(release: Release): ConsoleRoute[] {
	const createRoute = (method: string, path: string, handle: ConsoleRoute['handle']): ConsoleRoute => ({
		method,
		path: `/apps/{app}/workflows${path}`,
		needs: 'editor',
		modes,
		handle,
	});
	return [
		createRoute('GET', '/draft', exchange => toWorkflowDetail(exchange, getDraft(exchange, release))),
		createRoute('POST', '/draft', syncDraft),
		createRoute('GET', '/publish', exchange => {
			const version = exchange.app?.versions.find(each => each.id === exchange.app?.publishedId);
			return version ? toWorkflowDetail(exchange, version) : null;
		}),
		createRoute('POST', '/publish', publishDraft),
		createRoute('GET', '', listVersions),
		...(release.restores ? [createRoute('POST', '/{version}/restore', restoreRequestedVersion)] : []),
	];
}

/** Returns the draft of an app; throws if there is none. */
export function getDraft({ app }: Exchange, release: Release): FakeWorkflow {
	if (!app?.draft) {
		throw new Refusal(release.notSync === 400 ? 400 : 404, 'draft_workflow_not_exist', 'Draft workflow need to be initialized.');
	}
	return app.draft;
}

function toWorkflowDetail({ fake }: Exchange, workflow: FakeWorkflow): Fields {
	const { id, email, name } = fake.account;
	return {
		id: workflow.id,
		graph: workflow.graph,
		features: workflow.features,
		hash: computeConsoleHash(workflow),
		version: workflow.version,
		marked_name: workflow.markedName,
		marked_comment: workflow.markedComment,
		created_by: { id, name, email },
		created_at: Math.floor(workflow.createdAt),
		updated_by: { id, name, email },
		updated_at: Math.floor(workflow.updatedAt),
		tool_published: false,
		environment_variables: maskVariables(workflow.environment),
		conversation_variables: exportVariables(workflow.conversation, true),
		rag_pipeline_variables: [],
	};
}

function syncDraft(exchange: Exchange): unknown {
	const { fake, body } = exchange;
	const app = exchange.app as FakeApp;
	const stray = fake.release.strictDraft ? Object.keys(body).find(name => !strictFields.includes(name)) : undefined;
	if (stray !== undefined) {
		throw new Refusal(400, 'invalid_param', `${stray}: Extra inputs are not permitted`);
	}
	if (typeof body['graph'] !== 'object' || typeof body['features'] !== 'object') {
		throw new Refusal(400, 'invalid_param', 'graph and features: Field required');
	}
	if (app.draft && computeConsoleHash(app.draft) !== getBodyText(body, 'hash')) {
		throw new Refusal(
			fake.release.notSync,
			'draft_workflow_not_sync',
			'Workflow graph might have been modified, please refresh and resubmit.',
		);
	}
	const readVariables = (list: unknown, place: 'env' | 'conversation') =>
		(Array.isArray(list) ? list : []).map(each => parseVariable(each as Fields, place));
	const before = app.draft?.environment ?? [];
	const said = fake.release.strictDraft
		? applyPatch(body['environment_variable_patch'], before)
		: readVariables(body['environment_variables'], 'env');
	const unmasked = said.map(each => (fake.release.restores && each.value === hiddenMask ? { ...each, value: hiddenValue } : each));
	const draft = storeDraft(fake, app, {
		graph: body['graph'] as FakeGraph,
		features: getBodyFields(body, 'features'),
		environment: mergeVariables(unmasked, before),
		conversation: mergeVariables(readVariables(body['conversation_variables'], 'conversation'), []),
	});
	return { result: 'success', hash: computeConsoleHash(draft), updated_at: Math.floor(draft.updatedAt) };
}

/** All fields that a draft may have from 1.20 on. */
const strictFields = ['graph', 'features', 'hash', '_is_collaborative', 'conversation_variables', 'environment_variable_patch'];

/** Applies a patch to environment variables; null changes nothing. */
function applyPatch(patch: unknown, before: readonly FakeVariable[]): FakeVariable[] {
	const { environment_variables: set = [], deleted_environment_variable_ids: deleted = [] } = (patch ?? {}) as {
		environment_variables?: Fields[];
		deleted_environment_variable_ids?: string[];
	};
	if (set.some(each => typeof each['id'] !== 'string')) {
		throw new Refusal(400, 'invalid_param', 'environment_variable_patch.environment_variables.id: Field required');
	}
	const changed = set.map(each => parseVariable(each, 'env'));
	const left = before.filter(({ id }) => !deleted.includes(id) && !changed.some(each => each.id === id));
	return [...left, ...changed];
}

function publishDraft(exchange: Exchange): unknown {
	const { fake, body } = exchange;
	const [name, comment] = [getBodyText(body, 'marked_name') ?? '', getBodyText(body, 'marked_comment') ?? ''];
	if (name.length > 20 || comment.length > 100) {
		throw new Refusal(
			400,
			'invalid_param',
			`${name.length > 20 ? 'Marked name cannot exceed 20' : 'Marked comment cannot exceed 100'} characters`,
		);
	}
	try {
		const version = publishVersion(fake, exchange.app as FakeApp, { name, comment });
		return { result: 'success', created_at: Math.floor(version.createdAt) };
	} catch (error) {
		throw new Refusal(400, 'invalid_param', error instanceof Error ? error.message : '');
	}
}

function listVersions(exchange: Exchange): unknown {
	const page = getQueryInteger(exchange, 'page', { usual: 1, most: 99_999 }, [400, 'invalid_param']);
	const limit = getQueryInteger(exchange, 'limit', { usual: 10, most: 100 }, [400, 'invalid_param']);
	const { items, more } = createVersionPage(exchange.app as FakeApp, { page, limit, named: exchange.query.get('named_only') === 'true' });
	return { items: items.map(each => toWorkflowDetail(exchange, each)), page, limit, has_more: more };
}

function restoreRequestedVersion({ fake, app, params }: Exchange): unknown {
	const version = app?.versions.find(each => each.id === params['version']);
	if (params['version'] === app?.draft?.id) {
		throw new Refusal(400, 'bad_request', 'Cannot restore draft workflow');
	}
	if (!app || !version) {
		throw new Refusal(404, 'not_found', 'Workflow not found');
	}
	const draft = restoreVersion(fake, app, version);
	return new Reply(200, { result: 'success', hash: computeConsoleHash(draft), updated_at: Math.floor(draft.updatedAt) });
}
