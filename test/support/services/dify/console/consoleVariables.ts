import { type Exchange, Refusal, Reply, whole } from '../exchange.ts';
import type { FakeDraftVariable } from '../runs/draftMemory.ts';
import type { FakeApp, Fields } from '../state.ts';
import { hiddenMask } from '../variables.ts';
import type { ConsoleRoute } from './consoleSurface.ts';

const base = '/apps/{app}/workflows/draft';
const at = (method: string, path: string, handle: ConsoleRoute['handle']): ConsoleRoute => ({
	method,
	path: base + path,
	needs: 'editor',
	modes: ['workflow', 'advanced-chat'],
	handle,
});

/** Variables of draft runs. The list of all has no values. */
export const consoleVariables: readonly ConsoleRoute[] = [
	at('GET', '/variables', exchange => {
		const page = whole(exchange, 'page', { usual: 1, most: 100_000 }, [400, 'invalid_param']);
		const limit = whole(exchange, 'limit', { usual: 20, most: 100 }, [400, 'invalid_param']);
		const all = variablesOf(exchange);
		return { items: all.slice((page - 1) * limit, page * limit).map(({ value: _, ...each }) => each), total: all.length };
	}),
	at('DELETE', '/variables', ({ fake, app }) => {
		fake.drafts.forget(app as FakeApp);
		return new Reply(204, '');
	}),
	at('GET', '/nodes/{node}/variables', exchange => ({
		items: variablesOf(exchange).filter(each => (each['selector'] as string[])[0] === exchange.params['node']),
	})),
	at('GET', '/conversation-variables', exchange => ({ items: variablesOf(exchange).filter(each => each['type'] === 'conversation') })),
	at('GET', '/system-variables', exchange => ({ items: variablesOf(exchange).filter(each => each['type'] === 'sys') })),
	at('GET', '/environment-variables', ({ app }) => ({
		items: (app?.draft?.environment ?? []).map(({ id, name, description, value_type, value }) => ({
			id,
			type: 'env',
			name,
			description,
			selector: ['env', name],
			value_type,
			value: value_type === 'secret' ? hiddenMask : value,
			edited: false,
			visible: true,
			editable: true,
		})),
	})),
	at('GET', '/variables/{variable}', exchange => row(found(exchange))),
	at('PATCH', '/variables/{variable}', exchange => {
		const variable = found(exchange);
		if ('value' in exchange.body) {
			Object.assign(variable, { value: exchange.body['value'], edited: true });
		}
		return row(variable);
	}),
	at('PUT', '/variables/{variable}/reset', exchange => {
		const variable = found(exchange);
		Object.assign(variable, { value: variable.first, edited: false });
		return row(variable);
	}),
	at('DELETE', '/variables/{variable}', exchange => {
		const memory = exchange.fake.drafts.of(exchange.app as FakeApp);
		const gone = found(exchange);
		memory.variables = memory.variables.filter(each => each !== gone);
		return new Reply(204, '');
	}),
];

function variablesOf({ fake, app }: Exchange): Fields[] {
	return fake.drafts.of(app as FakeApp).variables.map(row);
}

function row({ id, type, selector, valueType, value, edited }: FakeDraftVariable): Fields {
	return {
		id,
		type,
		name: selector[1],
		description: '',
		selector,
		value_type: valueType,
		edited,
		visible: true,
		is_truncated: false,
		value,
	};
}

function found({ fake, app, params }: Exchange): FakeDraftVariable {
	const variable = fake.drafts.of(app as FakeApp).variables.find(each => each.id === params['variable']);
	if (!variable) {
		throw new Refusal(404, 'not_found', `variable not found, id=${params['variable']}`);
	}
	return variable;
}
