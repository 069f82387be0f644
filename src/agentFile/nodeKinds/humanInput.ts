import { getFieldText } from '#base/records/plainValues.ts';
import { createFact, getFirstLine } from './cards/cardFacts.ts';
import { describeSelector } from './labels/fieldLabels.ts';
import type { KindLabels } from './labels/label.ts';
import type { NodeKind } from './nodeKind.ts';

/** Shows a form to a person and waits until it is submitted. */
export const humanInput: NodeKind = {
	type: 'human-input',
	icon: 'person',
	inside: 'top',
	snippet: {
		title: 'Human Input',
		data: [
			'form_content: "${3:Is this right?} {{#${4:¶.}#}}"',
			'inputs: []',
			'user_actions:',
			'  - { id: ${5:approve}, title: ${6:Approve}, button_style: primary }',
			'  - { id: ${7:reject}, title: ${8:Reject}, button_style: default }',
			'timeout: ${9:3}',
			'timeout_unit: ${10:day}',
			'delivery_methods:',
			'  - { type: webapp, enabled: true }',
		],
	},
	outputs: ['__action_id:string', '__action_value:string', '__rendered_content:string'],
	branches: { list: 'user_actions', id: 'id', title: 'title', byPerson: true, output: '__action_id' },
	declares: { at: ['inputs'], name: 'output_variable_name', type: 'type', isInput: true },
	formText: 'form_content',
	createFacts: data => createFact(getFirstLine(getFieldText(data, 'form_content'))),
};

export const describeKind = (): KindLabels => ({
	'human-input': {
		text: "Shows a form to a person and pauses the run until it's submitted.",
		fields: {
			form_content: {
				text: 'Content of the form. Can contain {{#node.variable#}}, and {{#$output.name#}} to place an input.',
				form: 'text',
			},
			inputs: 'Inputs of the form.',
			'inputs[]': 'An input of the form.',
			'inputs[].type': { text: 'Type of input.', examples: ['paragraph', 'select', 'file', 'file-list'] },
			'inputs[].output_variable_name': 'Name of the output with the value.',
			'inputs[].default': 'Default value.',
			'inputs[].default.type': { text: 'Whether the value is a constant or a variable.', examples: ['constant', 'variable'] },
			'inputs[].default.selector': describeSelector('Variable to use'),
			'inputs[].default.value': "Text to use if the type is 'constant'.",
			'inputs[].option_source': "Options to choose from, for 'select'.",
			'inputs[].option_source.type': { text: 'Whether the value is a constant or a variable.', examples: ['constant', 'variable'] },
			'inputs[].option_source.selector': describeSelector('List of options', 'array[string]'),
			'inputs[].option_source.value': "Options to use if the type is 'constant'.",
			'inputs[].allowed_file_types': {
				text: 'Accepted file types: image, document, audio, video, custom.',
				field: {},
				rare: true,
			},
			'inputs[].allowed_file_extensions': { text: "Accepted file extensions, for 'custom'.", field: {}, rare: true },
			'inputs[].allowed_file_upload_methods': { text: 'Accepted upload methods: local_file, remote_url.', field: {}, rare: true },
			'inputs[].number_limits': { text: "Maximum number of files, for 'file-list'.", field: {}, rare: true },
			user_actions: 'Actions that the person can choose.',
			'user_actions[]': 'An action that the person can choose.',
			'user_actions[].id': 'ID of the action. Edges use it as the output handle.',
			'user_actions[].title': 'Label of the button.',
			'user_actions[].button_style': { text: 'Style of the button.', examples: ['primary', 'default', 'accent', 'ghost'] },
			timeout: "Time limit. When it expires, the run continues on the '__timeout' edge.",
			timeout_unit: { text: "Unit of 'timeout'.", examples: ['hour', 'day'] },
			delivery_methods: { text: 'How to notify people about the form.', rare: true },
			'delivery_methods[]': 'A way to notify people about the form.',
			'delivery_methods[].type': { text: 'Type of delivery method.', examples: ['webapp', 'email'] },
			'delivery_methods[].enabled': 'Whether to use this delivery method.',
			'delivery_methods[].id': { text: 'ID of the delivery method.', field: {} },
			'delivery_methods[].config': {
				text: "Email to send, for 'email'. The built-in gateway doesn't send email.",
				field: { properties: {} },
			},
			'delivery_methods[].config.recipients': { text: 'Recipients of the email.', field: { properties: {} } },
			'delivery_methods[].config.recipients.whole_workspace': {
				text: 'Whether to send the email to all members of the workspace.',
				field: {},
			},
			'delivery_methods[].config.recipients.items': { text: 'Individual recipients.', field: { items: { properties: {} } } },
			'delivery_methods[].config.recipients.items[]': 'A recipient of the email.',
			'delivery_methods[].config.recipients.items[].type': {
				text: 'Whether the recipient is a member of the workspace.',
				field: {},
				examples: ['member', 'external'],
			},
			'delivery_methods[].config.recipients.items[].user_id': { text: "ID of the member, for 'member'.", field: {} },
			'delivery_methods[].config.recipients.items[].email': { text: "Email address, for 'external'.", field: {} },
			'delivery_methods[].config.subject': { text: 'Subject of the email.', field: {} },
			'delivery_methods[].config.body': { text: 'Text of the email. {{#url#}} inserts the link to the form.', field: {} },
			'delivery_methods[].config.debug_mode': { text: 'Whether to send the email only to the person testing the agent.', field: {} },
		},
	},
});
