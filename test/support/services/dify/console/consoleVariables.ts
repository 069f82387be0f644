import { type Exchange, getQueryInteger, Refusal, Reply } from '../exchange.ts';
import type { FakeDraftVariable } from '../runs/draftMemory.ts';
import type { FakeApp, Fields } from '../state.ts';
import { hiddenMask } from '../variables.ts';
import type { ConsoleRoute } from './consoleSurface.ts';

const base = '/apps/{app}/workflows/draft';
const createRoute = (method: string, path: string, handle: ConsoleRoute['handle']): ConsoleRoute => ({
	method,
	path: base + path,
	needs: 'editor',
	modes: ['workflow', 'advanced-chat'],
	handle,
});

/** Routes of the variables of draft runs. The list of all variables has no values. */
export const consoleVariables: readonly ConsoleRoute[] = [
	createRoute('GET', '/variables', exchange => {
		const page = getQueryInteger(exchange, 'page', { usual: 1, most: 100_000 }, [400, 'invalid_param']);
		const limit = getQueryInteger(exchange, 'limit', { usual: 20, most: 100 }, [400, 'invalid_param']);
		const all = listVariables(exchange);
		return { items: all.slice((page - 1) * limit, page * limit).map(({ value: _, ...each }) => each), total: all.length };
	}),
	createRoute('DELETE', '/variables', ({ fake, app }) => {
		fake.drafts.deleteVariables(app as FakeApp);
		return new Reply(204, '');
	}),
	createRoute('GET', '/nodes/{node}/variables', exchange => ({
		items: listVariables(exchange).filter(each => (each['selector'] as string[])[0] === exchange.params['node']),
	})),
	createRoute('GET', '/conversation-variables', exchange => ({
		items: listVariables(exchange).filter(each => each['type'] === 'conversation'),
	})),
	createRoute('GET', '/system-variables', exchange => ({ items: listVariables(exchange).filter(each => each['type'] === 'sys') })),
	createRoute('GET', '/environment-variables', ({ app }) => ({
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
	createRoute('GET', '/variables/{variable}', exchange => toVariableRow(findVariable(exchange))),
	createRoute('PATCH', '/variables/{variable}', exchange => {
		const variable = findVariable(exchange);
		if ('value' in exchange.body) {
			Object.assign(variable, { value: exchange.body['value'], edited: true });
		}
		return toVariableRow(variable);
	}),
	createRoute('PUT', '/variables/{variable}/reset', exchange => {
		const variable = findVariable(exchange);
		Object.assign(variable, { value: variable.first, edited: false });
		return toVariableRow(variable);
	}),
	createRoute('DELETE', '/variables/{variable}', exchange => {
		const memory = exchange.fake.drafts.getMemory(exchange.app as FakeApp);
		const gone = findVariable(exchange);
		memory.variables = memory.variables.filter(each => each !== gone);
		return new Reply(204, '');
	}),
];

function listVariables({ fake, app }: Exchange): Fields[] {
	return fake.drafts.getMemory(app as FakeApp).variables.map(toVariableRow);
}

function toVariableRow({ id, type, selector, valueType, value, edited }: FakeDraftVariable): Fields {
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

function findVariable({ fake, app, params }: Exchange): FakeDraftVariable {
	const variable = fake.drafts.getMemory(app as FakeApp).variables.find(each => each.id === params['variable']);
	if (!variable) {
		throw new Refusal(404, 'not_found', `variable not found, id=${params['variable']}`);
	}
	return variable;
}
