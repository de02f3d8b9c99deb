package dev.toolfleet.bundle;

/// Stable codes of configuration problems; users search for the names, so they never change.
public enum ProblemCode {
    /// Not YAML 1.2, a duplicate key, a value that JSON cannot hold, or aliases that expand too far.
    E_CONFIG_PARSE_ERROR,
    /// A file over 1 MiB.
    E_CONFIG_FILE_TOO_LARGE,
    /// More than 100 documents in a file.
    E_CONFIG_TOO_MANY_DOCUMENTS,
    /// A file or folder that cannot be read.
    E_CONFIG_FILE_UNREADABLE,
    /// A folder without any resource.
    E_CONFIG_EMPTY,
    /// A YAML file that does not count as a resource file.
    E_CONFIG_FILE_SKIPPED,
    /// An unsupported `apiVersion`, or none.
    E_CONFIG_UNSUPPORTED_API_VERSION,
    /// A `kind` that does not exist, or none.
    E_CONFIG_UNKNOWN_KIND,
    /// A name that is forbidden or not recommended.
    E_CONFIG_INVALID_NAME,
    /// Two resources of one kind and name, or two exports of one name.
    E_CONFIG_DUPLICATE_NAME,
    /// A malformed reference, or one of a kind that does not fit its place.
    E_CONFIG_INVALID_REF,
    /// A reference to something that does not exist.
    E_CONFIG_REF_NOT_FOUND,
    /// A reference into a package that is not available here.
    E_CONFIG_REF_UNCHECKED,
    /// A scope that its OAuthApp does not have, or with which an export would widen its Tool's scopes.
    E_CONFIG_SCOPE_NOT_ALLOWED,
    /// An OAuthApp whose server does not name the person who authorizes.
    E_CONFIG_SUBJECT_UNCHECKED,
    /// The same resource is listed twice.
    E_CONFIG_DUPLICATE_REF,
    /// A field is missing, or its value has a wrong shape.
    E_CONFIG_SCHEMA_INVALID,
    /// An unknown field; mostly a typing error.
    E_CONFIG_UNKNOWN_FIELD,
    /// Two Package documents in one file.
    E_CONFIG_PACKAGE_DOC_DUPLICATED,
    /// A Package that is not the first document of the bundle's main file.
    E_CONFIG_PACKAGE_DOC_POSITION,
    /// An entry that names a file, class or built-in that does not exist.
    E_CONFIG_ENTRY_NOT_FOUND,
    /// An entry that the fleet does not run.
    E_CONFIG_ENTRY_NOT_RUN,
    /// A valid field or value that the fleet does not use yet.
    E_CONFIG_NOT_ACTED_ON,
    /// A secret stands in the file itself; such a bundle validates, but is not applied.
    E_CONFIG_LITERAL_SECRET,
    /// A description is missing, which a model would need.
    E_CONFIG_DESCRIPTION_MISSING,
    /// `parameters` accepts arguments that it does not list.
    E_CONFIG_SCHEMA_OPEN,
    /// An export declares nothing about the effect of a second run.
    E_CONFIG_ANNOTATIONS_MISSING,
    /// A rule's pattern that fits no tool's name.
    E_CONFIG_RULE_PATTERN,
    /// A rule's condition on arguments that cannot be used.
    E_CONFIG_RULE_CONDITION,
    /// A rule that can never change a verdict.
    E_CONFIG_RULE_NEVER_WINS
}
