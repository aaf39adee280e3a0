/** Names, types and nullability are those of Job Monitor's server: its page and scripts of its users use them. */
export const TYPE_DEFINITIONS = `
"Milliseconds since 1970"
scalar Date
"A text, number or boolean as it is; objects and lists as JSON text. A text that is given is read as JSON if it is JSON."
scalar Object
"JSON as it is"
scalar Dictionary

type Query {
  "The job with this id; null when there is none"
  job(id: ID!): Job
  """
  Newest first. user, project, experiment and job are compared as they are. search is a regular expression, searched in job,
  experiment and description, or "js:" with a condition such as "js:lr > 0.1". limit counts matches; 0 or none: all.
  """
  jobs(
    ids: [ID]
    user: String
    project: String
    experiment: String
    job: String
    search: String
    status: Status
    limit: Int
  ): [Job]
}

type Mutation {
  "Null or no value removes the annotation. Dots in the key lead into objects."
  setAnnotation(jobId: ID!, key: String!, value: Object): Job
}

enum Status {
  CREATED
  "For queries only: RUNNING, SCHEDULED or CREATED"
  QUEUE
  SCHEDULED
  RUNNING
  FINISHED
  CANCELED
  FAILED
  "Running, without a heartbeat for 20 seconds"
  UNRESPONSIVE
}

type Job {
  id: ID!
  user: String!
  project: String!
  experiment: String!
  job: String!
  status: Status!
  host: String
  "Relative to the folder of results"
  outputDirectory: String
  creationTime: Date!
  startTime: Date
  endTime: Date
  "What worker 0 printed"
  logs: String
  config: [Config]
  annotations: [Annotation]
  exception: String
  environment: Environment!
  "measurement: a regular expression for the whole name. tags: k=v,k2=v2, all of which must be so."
  timeseries(measurement: String, tags: String): [Timeseries]
  "0 to 1"
  progress: Float
  "A file below the output directory; null when there is none"
  textFile(filename: String!): String
  jsonFile(filename: String!): Dictionary
  images: [Image]
  timings: [Timing]
}

type Config {
  key: String
  value: Object
}

type Annotation {
  key: String
  value: Object
}

type Environment {
  script: String
  clone: CloneConfiguration
}

type CloneConfiguration {
  path: String
}

type Image {
  key: String!
  path: String!
}

type Timing {
  event: String!
  worker: Int!
  mean: Float
  std: Float
  instances: Float
}

type Timeseries {
  measurement: String!
  tags: Dictionary!
  "Points with their time in milliseconds since 1970; null for non-finite numbers"
  values: [Dictionary]
  currentValue: Dictionary!
  "The point with the largest field \\"value\\""
  maxValue: Dictionary!
  minValue: Dictionary!
  jobId: ID!
}
`;
