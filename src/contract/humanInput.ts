import * as z from 'zod';

const createUploadMethodSchema = () => z.enum(['local_file', 'remote_url']);

/** Source of a form's initial value, or of its options: `constant` has a `value`; `variable` names a value of the run by `selector`. */
const createValueSourceSchema = () => ({ type: z.string(), selector: z.array(z.string()).exactOptional() });

/**
 * A field of a form (DSL additions, "human-input"): `paragraph`, `select`, `file`, `file-list`, or a type of newer services. Only
 * paragraphs may be left empty.
 */
const createFormInputSchema = () =>
	z.looseObject({
		type: z.string(),
		output_variable_name: z.string(),
		/** Initial value of a `paragraph`. */
		default: z
			.object({ ...createValueSourceSchema(), value: z.string().exactOptional() })
			.nullable()
			.exactOptional(),
		/** Options of a `select`. Those that come from a variable are filled in when the run pauses (built-in gateway). */
		option_source: z.object({ ...createValueSourceSchema(), value: z.array(z.string()).exactOptional() }).exactOptional(),
		/**
		 * Accepted files of a `file` or `file-list`: kinds as in the contract's file object; extensions such as `.md` apply to the kind `custom`.
		 */
		allowed_file_types: z.array(z.string()).exactOptional(),
		allowed_file_extensions: z.array(z.string()).exactOptional(),
		allowed_file_upload_methods: z.array(createUploadMethodSchema()).exactOptional(),
		/** Maximum number of files in a `file-list`. */
		number_limits: z.int().exactOptional(),
	});
export type FormInput = z.infer<ReturnType<typeof createFormInputSchema>>;

/** A button of a form; submissions name its `id`. `button_style`: `primary`, `default`, `accent`, `ghost` or a newer one. */
const createFormActionSchema = () => z.object({ id: z.string(), title: z.string(), button_style: z.string() });
export type FormAction = z.infer<ReturnType<typeof createFormActionSchema>>;

/** Response of `GET /form/human_input/{form_token}`. */
export const createHumanInputFormSchema = () =>
	z.looseObject({
		/** Markdown, with `{{#$output.NAME#}}` as placeholders for inputs. */
		form_content: z.string(),
		inputs: z.array(createFormInputSchema()),
		/** Initial values of paragraphs that come from a variable, as strings. */
		resolved_default_values: z.record(z.string(), z.string()),
		user_actions: z.array(createFormActionSchema()),
		/** When the form expires, in Unix seconds. */
		expiration_time: z.int().nullable(),
	});
export type HumanInputForm = z.infer<ReturnType<typeof createHumanInputFormSchema>>;

/** Query of a form. Only gateways that forward to other services need the agent. */
export const formQuerySchema = z.object({
	model: z.string().min(1).optional().describe('Agent name. Optional: the token identifies the form.'),
});

/** Body of a form submission. In `inputs`, a file is a file object, and a file list is an array of them. */
export const formSubmissionSchema = z.looseObject({
	model: z.string().min(1).optional().describe('Agent name. Optional: the token identifies the form.'),
	inputs: z.record(z.string(), z.unknown()).describe("Values by the form's input names."),
	action: z.string().describe("ID of one of the form's actions."),
	user: z.string().min(1).describe('ID of the end user who answers.'),
});
export type FormSubmission = z.infer<typeof formSubmissionSchema>;

const flag = z.enum(['true', 'false']).transform(text => text === 'true');

/** Query of a run's events. Flags are strings on the wire, but booleans in {@link FollowRunQuery}. */
export const runEventsQuerySchema = z.object({
	model: z.string().min(1),
	user: z.string().min(1).optional().describe('The user who started the run. Other users get 404.'),
	include_state_snapshot: flag.optional().describe('Whether to send past events first.'),
	continue_on_pause: flag.optional().describe('Whether to keep the stream open while the run is waiting for input.'),
});

/** Options for following a run. */
export interface FollowRunQuery {
	readonly model: string;
	/** The user who started the run. Required by other services; the built-in gateway returns runs of any user without it. */
	readonly user?: string;
	/** Whether to send past events first. The built-in gateway sends them unless this is false; Dify sends them if it is true. */
	readonly include_state_snapshot?: boolean;
	/** Whether to keep the stream open until the run's end, even while it's paused. */
	readonly continue_on_pause?: boolean;
}

/** Error codes of the form endpoints, with the status 400, 412 and 412. An unknown token is 404 `not_found`. */
export const formRefusals = {
	invalid: 'invalid_form_data',
	submitted: 'human_input_form_submitted',
	expired: 'human_input_form_expired',
} as const;
