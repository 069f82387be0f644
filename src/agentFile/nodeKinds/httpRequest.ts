import { getFieldText } from '#base/records/plainValues.ts';
import { createFact } from './cards/cardFacts.ts';
import { describeSelector } from './labels/fieldLabels.ts';
import type { KindLabels } from './labels/label.ts';
import type { NodeKind } from './nodeKind.ts';

/** Sends a request to another service. */
export const httpRequest: NodeKind = {
	type: 'http-request',
	icon: 'globe',
	hasSideEffects: data => !/^(?:get|head)$/i.test(getFieldText(data, 'method')),
	isForeign: true,
	snippet: {
		title: 'HTTP Request',
		data: [
			'method: ${3:get}',
			'url: ${4:https://example.com/api}',
			'authorization: { type: no-auth, config: null }',
			'headers: ""',
			'params: ""',
			'body: { type: none, data: [] }',
			'timeout: { connect: 10, read: 60, write: 20 }',
		],
	},
	outputs: ['status_code:number', 'body:string', 'headers:object', 'files:array[file]'],
	createFacts: data => createFact(getFieldText(data, 'url') || '…', (getFieldText(data, 'method') || 'get').toUpperCase()),
};

export const describeKind = (): KindLabels => ({
	'http-request': {
		text: 'Sends an HTTP request to a service.',
		fields: {
			method: { text: 'HTTP method.', examples: ['get', 'post', 'put', 'patch', 'delete', 'head'] },
			url: { text: 'URL. Can contain {{#node.variable#}}.', form: 'line' },
			headers: { text: "Headers, one 'name:value' per line.", form: 'text' },
			params: { text: "Query parameters, one 'name:value' per line.", form: 'text' },
			authorization: 'API key to send.',
			'authorization.type': "Whether to send an API key ('api-key') or none ('no-auth').",
			'authorization.config': 'The key and how to send it.',
			'authorization.config.type': "How to send the key: 'basic', 'bearer', or in a separate header ('custom').",
			'authorization.config.api_key': {
				text: 'API key to send. Use an environment variable to keep it out of the node, for example {{#env.name#}}.',
				form: 'line',
			},
			'authorization.config.header': "Name of the header, for 'custom'.",
			body: 'Body of the request.',
			'body.type': 'Type of the body.',
			'body.data': "Parts of the body. The types 'raw-text', 'json' and 'binary' use a single part.",
			'body.data[]': 'A part of the body.',
			'body.data[].key': { text: 'Name of the form field.', form: 'line' },
			'body.data[].type': { text: 'Type of the part.', examples: ['text', 'file'] },
			'body.data[].value': { text: 'Text of the part. Can contain {{#node.variable#}}.', form: 'text' },
			'body.data[].file': describeSelector('File of the part', 'file', 'array[file]'),
			'body.data[].id': { text: 'ID of the part.', field: {}, form: 'kept' },
			timeout: { text: 'Timeouts in seconds.', rare: true },
			'timeout.connect': 'Timeout for connecting, up to 10 seconds.',
			'timeout.read': 'Timeout for the response, up to 600 seconds.',
			'timeout.write': 'Timeout for sending the request.',
			'timeout.max_connect_timeout': { text: 'Limit set by Dify.', rare: true },
			'timeout.max_read_timeout': { text: 'Limit set by Dify.', rare: true },
			ssl_verify: { text: 'Whether to verify certificates.', rare: true },
		},
	},
});
