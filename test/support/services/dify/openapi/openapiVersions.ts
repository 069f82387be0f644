import { type Exchange, getBodyText, getQueryInteger, Refusal } from '../exchange.ts';
import { computeDraftHash, type FakeApp } from '../state.ts';
import { createVersionPage, publishVersion, restoreVersion } from '../versions.ts';
import { createInvalidError, createNewestPath, declareOperation } from './operation.ts';

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Operations for publishing and versions, from 1.18 on. */
export const openapiVersions = [
	declareOperation(
		'publish.console_app',
		'POST',
		createNewestPath('/apps/{app_id}:publish'),
		{ body: ['marked_name', 'marked_comment'], needs: 'editor' },
		publishDraft,
	),
	declareOperation('check.console_app.release', 'GET', createNewestPath('/apps/{app_id}/release:check'), { needs: 'editor' }, exchange => {
		const app = getAppWithGraph(exchange);
		return {
			ready: false,
			checks: [
				{ name: 'draft_valid', passed: true, detail: 'No issues' },
				{ name: 'tested', passed: false, detail: 'No passing draft test on the current draft' },
			],
			issues: [],
			state: { service_api_enabled: app.serviceApi, webapp_enabled: app.site },
			changes: null,
			hints: [],
		};
	}),
	declareOperation(
		'get.console_app.version',
		'GET',
		createNewestPath('/apps/{app_id}/versions'),
		{ query: ['page', 'limit', 'named_only'], needs: 'editor' },
		exchange => {
			const app = getAppWithGraph(exchange);
			const page = getQueryInteger(exchange, 'page', { usual: 1, most: 99_999 }, [422, 'invalid_param']);
			const limit = getQueryInteger(exchange, 'limit', { usual: 20, most: 100 }, [422, 'invalid_param']);
			const { items, more } = createVersionPage(app, { page, limit, named: exchange.query.get('named_only') === 'true' });
			const data = items.map(each => ({
				id: each.id,
				marked_name: each.markedName,
				marked_comment: each.markedComment,
				created_by: exchange.fake.account.id,
				created_at: Math.floor(each.createdAt),
				current: each.id === app.publishedId,
			}));
			return { page, limit, has_more: more, data, hints: [] };
		},
	),
	declareOperation(
		'restore.console_app.version',
		'POST',
		createNewestPath('/apps/{app_id}/versions/{version_id}:restore'),
		{ needs: 'editor' },
		exchange => {
			const app = getAppWithGraph(exchange);
			const id = exchange.params['version_id'] ?? '';
			if (id === app.draft?.id) {
				throw new Refusal(400, 'version_not_restorable', 'Only a published version can be restored.');
			}
			const version = uuid.test(id) ? app.versions.find(each => each.id === id) : undefined;
			if (!version) {
				throw new Refusal(404, 'version_not_found', 'No version with this id exists for this app.');
			}
			return { result: 'success', draft_hash: computeDraftHash(restoreVersion(exchange.fake, app, version)) };
		},
	),
];

function publishDraft(exchange: Exchange): unknown {
	const app = getAppWithGraph(exchange);
	const [name, comment] = [getBodyText(exchange.body, 'marked_name') ?? '', getBodyText(exchange.body, 'marked_comment') ?? ''];
	for (const [field, value, most] of [
		['marked_name', name, 20],
		['marked_comment', comment, 100],
	] as const) {
		if (value.length > most) {
			throw createInvalidError([{ type: 'string_too_long', loc: [field], msg: `String should have at most ${most} characters` }]);
		}
	}
	try {
		const version = publishVersion(exchange.fake, app, { name, comment });
		return { version_id: version.id, created_at: Math.floor(version.createdAt), warning: null };
	} catch (error) {
		throw new Refusal(400, 'bad_request', error instanceof Error ? error.message : '');
	}
}

/** Returns the app of the path, which must have a graph. */
export function getAppWithGraph({ app }: Exchange): FakeApp {
	if (app?.mode !== 'workflow' && app?.mode !== 'advanced-chat') {
		throw new Refusal(422, 'invalid_param', 'mode_not_supported');
	}
	return app;
}
