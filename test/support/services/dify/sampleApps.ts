/**
 * Creates an app file as a deployment writes it, short enough to read. `version` is the version of the format; `nodes` and `edges` are
 * additional lines.
 */
export function createWorkflowFile({
	name = 'Greeter',
	version = '0.6.0',
	secret = '',
	secretId = 'env-1',
	nodes = '',
	edges = '',
} = {}): string {
	return `app:
  description: Greets
  icon: 🤖
  icon_background: '#FFEAD5'
  mode: workflow
  name: ${name}
  use_icon_as_answer_icon: false
dependencies: []
kind: app
version: ${version}
workflow:
  conversation_variables: []
  environment_variables:
  - description: ''
    id: ${secretId}
    name: API_KEY
    selector:
    - env
    - API_KEY
    value: '${secret}'
    value_type: secret
  features: {}
  graph:
    edges:
    - id: start-llm
      source: start
      sourceHandle: source
      target: llm
      targetHandle: target
    - id: llm-end
      source: llm
      sourceHandle: source
      target: end
      targetHandle: target
${edges}    nodes:
    - data:
        title: Start
        type: start
        variables: []
      id: start
      position:
        x: 0
        y: 0
    - data:
        model:
          completion_params:
            temperature: 1.0
          mode: chat
          name: gpt-4o
          provider: langgenius/openai/openai
        prompt_template:
        - role: user
          text: Hello, {{#start.who#}}
        title: Model
        type: llm
      id: llm
      position:
        x: 300
        y: 0
    - data:
        outputs:
        - value_selector:
          - llm
          - text
          variable: greeting
        title: End
        type: end
      id: end
      position:
        x: 600
        y: 0
${nodes}    viewport:
      x: 0
      y: 0
      zoom: 1
  rag_pipeline_variables: []
`;
}

/** A chatflow that asks a person before it replies. */
export const pausingChatFile = `app:
  description: ''
  icon: 🤖
  icon_background: '#FFEAD5'
  mode: advanced-chat
  name: Asker
kind: app
version: 0.6.0
workflow:
  conversation_variables: []
  environment_variables: []
  features: {}
  graph:
    edges:
    - {id: a, source: start, sourceHandle: source, target: ask, targetHandle: target}
    - {id: b, source: ask, sourceHandle: approve, target: answer, targetHandle: target}
    nodes:
    - {id: start, data: {type: start, title: Start, variables: []}}
    - id: ask
      data:
        type: human-input
        title: Ask
        form_content: 'May I? {{#$output.note#}}'
        inputs:
        - {type: paragraph, output_variable_name: note, default: {type: constant, selector: [], value: ''}}
        user_actions:
        - {id: approve, title: Approve, button_style: primary}
        timeout: 3
        timeout_unit: day
    - {id: answer, data: {type: answer, title: Answer, answer: 'You said {{#ask.note#}}'}}
`;
