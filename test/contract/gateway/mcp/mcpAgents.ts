import { createGraphFile } from '../formAgents.ts';

/** Creates an agent with an input of each type that returns its inputs. */
export function createTypedInputsAgent(): string {
	const variables = [
		{ variable: 'topic', label: 'Topic', type: 'text-input', required: true, max_length: 20 },
		{ variable: 'tone', label: 'Tone', type: 'select', required: true, options: ['dry', 'warm'], default: 'dry' },
		{ variable: 'count', label: 'Count', type: 'number', required: false },
		{ variable: 'loud', label: 'Loud', type: 'checkbox', required: false },
		{
			variable: 'paper',
			label: 'Paper',
			type: 'file',
			required: false,
			allowed_file_types: ['document'],
			allowed_file_upload_methods: ['remote_url', 'local_file'],
		},
	];
	return createGraphFile(
		'workflow',
		{
			start: { type: 'start', title: 'Begin', variables },
			read: { type: 'document-extractor', title: 'Read', variable_selector: ['start', 'paper'], is_array_file: false },
			end: {
				type: 'end',
				outputs: [
					...['topic', 'tone', 'count', 'loud'].map(name => ({ variable: name, value_selector: ['start', name] })),
					{ variable: 'paper', value_selector: ['read', 'text'] },
				],
			},
		},
		['start > read', 'read > end'],
	);
}
