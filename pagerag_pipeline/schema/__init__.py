"""What flows between rooms: frozen values, their ids and digests, and the protocols of models. Nothing here touches a store, a model or a clock."""
