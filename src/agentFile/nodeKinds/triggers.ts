import { getFieldText } from '#base/records/plainValues.ts';
import { createFact } from './cards/cardFacts.ts';
import { describeStart, valueTypes } from './labels/fieldLabels.ts';
import type { KindLabels, Labels } from './labels/label.ts';
import { inputVariables, type NodeKind } from './nodeKind.ts';

const trigger = { role: 'start', inside: 'top', openOutputs: true } as const;

/** Starts the agent when a URL is called. */
export const triggerWebhook: NodeKind = {
	...trigger,
	type: 'trigger-webhook',
	icon: 'plug',
	snippet: {
		title: 'Webhook Trigger',
		data: [
			'method: ${3:post}',
			'content_type: application/json',
			'headers: []',
			'params: []',
			'body: []',
			'status_code: 200',
			'response_body: ""',
		],
	},
	declares: inputVariables,
	createFacts: data => createFact(getFieldText(data, 'content_type'), getFieldText(data, 'method').toUpperCase()),
};

/** Starts the agent on a schedule. */
export const triggerSchedule: NodeKind = {
	...trigger,
	type: 'trigger-schedule',
	icon: 'watch',
	snippet: { title: 'Schedule Trigger', data: ['mode: cron', 'cron_expression: "${3:0 9 * * *}"', 'timezone: ${4:UTC}'] },
	createFacts: data => createFact(getFieldText(data, 'cron_expression') || getFieldText(data, 'frequency')),
};

/** Starts the agent on an event of a plugin. */
export const triggerPlugin: NodeKind = {
	...trigger,
	type: 'trigger-plugin',
	icon: 'extensions',
	snippet: {
		title: 'Integration Trigger',
		data: [
			'plugin_id: ${3:langgenius/github_trigger}',
			'provider_id: ${4:langgenius/github_trigger/github}',
			'event_name: ${5:issue_opened}',
			'subscription_id: ""',
			'event_parameters: {}',
		],
	},
	createFacts: data => createFact(getFieldText(data, 'event_name')),
};

/** Schema of a list of values that a trigger is called with. */
const entries = { items: { properties: {} } };
const describeEntries = (list: string, what: string): Labels => ({
	[`${list}[]`]: `${what} that other nodes can use.`,
	[`${list}[].name`]: { text: 'Name in the request. Other nodes use the same name.', field: {} },
	[`${list}[].type`]: { text: 'Type of the value.', field: {}, examples: valueTypes },
	[`${list}[].required`]: { text: 'Whether to reject requests without it.', field: {}, examples: ['true', 'false'] },
});

export const describeKind = (): KindLabels => ({
	'trigger-webhook': {
		text: 'Starts the agent when a URL is called. In the built-in gateway, it works like a start node.',
		fields: {
			...describeStart(),
			method: { text: 'HTTP method of the request.', field: {}, examples: ['get', 'post', 'put', 'patch', 'delete', 'head'] },
			content_type: {
				text: 'Content type of the request.',
				field: {},
				examples: ['application/json', 'application/x-www-form-urlencoded'],
			},
			headers: { text: 'Headers available to other nodes. Hyphens in their names become underscores.', field: entries },
			...describeEntries('headers', 'A header'),
			params: { text: 'Query parameters available to other nodes.', field: entries },
			...describeEntries('params', 'A query parameter'),
			body: { text: 'Body fields available to other nodes.', field: entries },
			...describeEntries('body', 'A body field'),
			status_code: { text: 'HTTP status code of the response.', field: {} },
			response_body: { text: 'Body of the response.', field: {} },
			timeout: { text: 'How long the caller waits for the response, in seconds.', field: {} },
		},
	},
	'trigger-schedule': {
		text: 'Starts the agent on a schedule. In the built-in gateway, it works like a start node.',
		fields: {
			...describeStart(),
			mode: {
				text: "How the schedule is defined: by frequency and time ('visual') or by a cron expression ('cron').",
				field: {},
				examples: ['visual', 'cron'],
			},
			frequency: { text: "How often to start the agent, for 'visual'.", field: {}, examples: ['hourly', 'daily', 'weekly', 'monthly'] },
			visual_config: { text: "When to start the agent, for 'visual': on_minute, time, weekdays, monthly_days.", field: { properties: {} } },
			'visual_config.on_minute': { text: "Minute of the hour, 0 to 59, for 'hourly'.", field: {} },
			'visual_config.time': { text: "Time of day, for example '12:00 AM'.", field: {} },
			'visual_config.weekdays': { text: "Days of the week, for 'weekly': sun, mon, tue and so on.", field: {} },
			'visual_config.monthly_days': { text: "Days of the month, for 'monthly': 1 to 31, or 'last'.", field: {} },
			cron_expression: { text: 'Schedule as a cron expression.', field: {} },
			timezone: { text: 'Time zone of the schedule.', field: {}, examples: ['UTC'] },
		},
	},
	'trigger-plugin': {
		text: 'Starts the agent when a plugin sends an event. In the built-in gateway, it works like a start node.',
		fields: {
			...describeStart(),
			plugin_id: { text: 'ID of the plugin.', field: {} },
			provider_id: { text: 'ID of the provider.', field: {} },
			event_name: { text: 'Event that starts the agent.', field: {} },
			subscription_id: { text: 'ID of the subscription to the event.', field: {} },
			event_parameters: { text: 'Filters for the events.', field: {} },
		},
	},
});
