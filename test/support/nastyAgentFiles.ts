const head = 'version: "0.6.0"\nkind: app\napp: { name: a, mode: workflow }\n';

/** Agent files with unusual YAML: anchors, merges, comments in odd places, brackets, blocks, blank lines, no final line break. */
export const nastyAgentFiles: Readonly<Record<string, string>> = {
	anchors: `${head}
shared: &llm   # all of them
  model: { provider: p, name: m, mode: chat, completion_params: {} }
  context: &context {enabled: false, variable_selector: []}
workflow:
    graph:
        # nodes
        nodes:

            # begins
            -   id: start # here
                data: {type: start, title: 'It''s "Start"', variables: [{variable: q, label: Q, type: paragraph, required: true}]}


            -   id: a
                # what it does
                data:
                    <<: *llm
                    type: llm   # a model
                    title: >-
                        Folded
                        title

                    prompt_template: [{role: user, text: "{{#start.q#}}\\t·"}]
                position: {x: 1, y: 2}   # left
            # the last one
            -   id: 'end'
                data:
                    type: end
                    title: |+
                        kept

                    outputs:
                    -   {variable: o, value_selector: [a, text]}
        edges:
        -   {id: e1, source: start, target: a}

        # to the end
        -   source: a
            target: 'end'   # done
`,
	shared: `${head}workflow:
  graph:
    nodes:
    - id: start
      position: &here { x: 1, y: 2 }   # both
      data: &about
        type: start
        title: &title "Start"
        desc: &desc |
          one

            two
        variables: []
    - id: a
      position: *here
      data:
        type: llm
        title: &name A
        desc: *desc   # as above
        model: &model # which
          provider: &who p
          # the name
          name: m

          mode: chat
          completion_params: &params
            stop: &stop
            - x # first
            - "y, z"
        prompt_template: &prompt
        - {role: user, text: "q"}
        context: {enabled: false, variable_selector: []}
    - id: b
      position: *here
      data:
        type: llm
        title: *name
        model: {<<: [{ mode: chat }, *model], provider: *who, completion_params: {stop: *stop}}
        prompt_template: *prompt
        context: {enabled: false, variable_selector: []}
    - id: c
      data:
        title: *title
        desc: *desc
        type: llm
        model:
            <<: *model # mostly
            name: n
        prompt_template:    *prompt
        context: {enabled: false, variable_selector: []}
        stops:
          - *stop
          - *params
    edges:
    - &edge {source: start, target: a}
    - {<<: *edge, target: b}
    - <<: *edge
      target: c
`,
	flow: `${head}workflow: {graph: {nodes: [{id: start, data: {type: start, title: S, variables: []}}, {id: t, position: {x: 0, y: 0}, data: {type: template-transform, title: "T, [x] {y}", template: "{{ a }}", variables: [{variable: a, value_selector: [start, q]}, ]}},
  # a comment
  {id: end, data: {type: end, title: E, outputs: [{variable: o, value_selector: [t, output]}]}}],
  edges: [{source: start, target: t}, {source: t, target: end}]}}`,
	lastLine: `${head}workflow:
  graph:
    edges:
    - source: start
      target: end
    nodes:
    - id: start
      data:
        type: start
        title: Größe 🎉
        variables: []
    -
      id: end
      data:
        type: end
        outputs: []
        title: |-
          	tab
           deep 漢字
          last`,
	empty: `${head}workflow:\n  graph:\n    nodes:\n      - { id: start, data: { type: start, title: Start, variables: [] } }\n    edges: [] # none yet\n`,
	// values continue on lines that look like keys, and the last one is a block without a line break
	continued: `${head}workflow:
  graph:
    edges:
    - {source: start, target: t,
id: e}
    nodes:
    - id: start
      data: {type: start, title: 'S
    - id: x
t', variables: []}
    - id: t
      data:
        type: template-transform
        title: "T\\
u"
        variables: [{variable: a,
value_selector: [start,
	q]}]
        template: |
          {{ a }}
          end`,
};
