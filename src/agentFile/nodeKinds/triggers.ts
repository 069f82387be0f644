import { textOf } from '#base/records/plainValues.ts';
import { fact } from './cards/cardFacts.ts';
import { inputVariables, type NodeKind } from './nodeKind.ts';
import { startWords, valueTypes } from './words/fieldWords.ts';
import type { KindWords, Words } from './words/word.ts';

const trigger = { role: 'start', inside: 'top', openOutputs: true } as const;

/** Starts the agent when an address is called. */
export const triggerWebhook: NodeKind = {
	...trigger,
	type: 'trigger-webhook',
	icon: 'plug',
	snippet: {
		title: 'Called',
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
	facts: data => fact(textOf(data, 'content_type'), textOf(data, 'method').toUpperCase()),
};

/** Starts the agent at set times. */
export const triggerSchedule: NodeKind = {
	...trigger,
	type: 'trigger-schedule',
	icon: 'watch',
	snippet: { title: 'Each day', data: ['mode: cron', 'cron_expression: "${3:0 9 * * *}"', 'timezone: ${4:UTC}'] },
	facts: data => fact(textOf(data, 'cron_expression') || textOf(data, 'frequency')),
};

/** Starts the agent on an event of a plugin. */
export const triggerPlugin: NodeKind = {
	...trigger,
	type: 'trigger-plugin',
	icon: 'extensions',
	snippet: {
		title: 'On an event',
		data: [
			'plugin_id: ${3:langgenius/github_trigger}',
			'provider_id: ${4:langgenius/github_trigger/github}',
			'event_name: ${5:issue_opened}',
			'subscription_id: ""',
			'event_parameters: {}',
		],
	},
	facts: data => fact(textOf(data, 'event_name')),
};

/** What a call to a trigger brings along, one entry a value. */
const entries = { items: { properties: {} } };
const entryWords = (list: string, what: string): Words => ({
	[`${list}[]`]: `${what} that other nodes know.`,
	[`${list}[].name`]: { text: `What it is called in the call; other nodes know it by that.`, field: {} },
	[`${list}[].type`]: { text: 'Type of the value.', field: {}, examples: valueTypes },
	[`${list}[].required`]: { text: 'Whether a call without it is refused.', field: {}, examples: ['true', 'false'] },
});

export const schemaWords = (): KindWords => ({
	'trigger-webhook': {
		text: 'Begins the agent when an address is called; started like a start node here.',
		fields: {
			...startWords(),
			method: { text: 'HTTP method of the call.', field: {}, examples: ['get', 'post', 'put', 'patch', 'delete', 'head'] },
			content_type: { text: 'What the call sends.', field: {}, examples: ['application/json', 'application/x-www-form-urlencoded'] },
			headers: { text: 'Headers that other nodes know, with “_” for “-”.', field: entries },
			...entryWords('headers', 'A header'),
			params: { text: 'Parameters of the address that other nodes know.', field: entries },
			...entryWords('params', 'A parameter of the address'),
			body: { text: 'Fields of the body that other nodes know.', field: entries },
			...entryWords('body', 'A field of the body'),
			status_code: { text: 'Status of the reply.', field: {} },
			response_body: { text: 'Body of the reply.', field: {} },
			timeout: { text: 'How long the caller waits, in seconds.', field: {} },
		},
	},
	'trigger-schedule': {
		text: 'Begins the agent at set times; started like a start node here.',
		fields: {
			...startWords(),
			mode: { text: 'Whether the times are chosen or written as a cron expression.', field: {}, examples: ['visual', 'cron'] },
			frequency: { text: 'How often, if the times are chosen.', field: {}, examples: ['hourly', 'daily', 'weekly', 'monthly'] },
			visual_config: { text: 'The times: on_minute, time, weekdays, monthly_days.', field: { properties: {} } },
			'visual_config.on_minute': { text: 'Minute of the hour, 0 to 59, if hourly.', field: {} },
			'visual_config.time': { text: 'Time of the day, such as “12:00 AM”.', field: {} },
			'visual_config.weekdays': { text: 'Days of the week, if weekly: sun, mon, tue and so on.', field: {} },
			'visual_config.monthly_days': { text: 'Days of the month, if monthly: 1 to 31, or “last”.', field: {} },
			cron_expression: { text: 'The times as a cron expression.', field: {} },
			timezone: { text: 'Time zone of the times.', field: {}, examples: ['UTC'] },
		},
	},
	'trigger-plugin': {
		text: 'Begins the agent when a plugin says so; started like a start node here.',
		fields: {
			...startWords(),
			plugin_id: { text: 'ID of the plugin.', field: {} },
			provider_id: { text: 'ID of its provider.', field: {} },
			event_name: { text: 'Event that begins the agent.', field: {} },
			subscription_id: { text: 'ID of the subscription to the event.', field: {} },
			event_parameters: { text: 'Which events it is about.', field: {} },
		},
	},
});
